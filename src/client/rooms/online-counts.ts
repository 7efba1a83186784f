import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import { isFailure } from '../http/is-failure.ts'
import type { LiveClient } from '../live/live-client.ts'
import { signal } from '../signal.ts'
import type { RoomSubscription } from './room-subscription.ts'

/** The latest counts of users in each room and on the site. */
export class OnlineCounts {
  /** By room id. */
  readonly byRoom = signal<Readonly<Record<number, number>>>({})
  readonly siteTotal = signal(0)
  /** The listed rooms, as the last page or answer had them. */
  readonly listedRooms = signal<readonly RoomListing[]>([])

  private readonly live: LiveClient

  constructor(live: LiveClient, roomSubscription: RoomSubscription) {
    this.live = live
    roomSubscription.addListener({ onPageOpened: (page) => this.onPageOpened(page) })
    live.on('roomUserCountUpdate', ({ roomId, activeUsers }) => {
      this.byRoom.value = { ...this.byRoom.peek(), [roomId]: activeUsers }
    })
    live.on('activeUsersCount', ({ count }) => {
      this.siteTotal.value = count
    })
    // Root admins receive all users, and then changes, instead of a count.
    live.on('activeUsers', ({ count }) => {
      this.siteTotal.value = count
    })
    live.on('userJoined', () => {
      this.siteTotal.value++
    })
    live.on('userLeft', () => {
      this.siteTotal.value--
    })
  }

  private onPageOpened({ room, rooms, onlineCount }: RoomPageProps): void {
    this.setRooms(rooms)
    this.byRoom.value = { ...this.byRoom.peek(), [room.id]: room.activeUsers }
    this.siteTotal.value = onlineCount
  }

  /** Fetches again: events are missing. */
  async refresh(): Promise<void> {
    const status = this.live.request('getStatus', {})
    await this.loadRooms()
    const answer = await status
    if (!isFailure(answer)) this.siteTotal.value = answer.activeUsers
  }

  /** Fetches the list of rooms; false when it did not come. */
  async loadRooms(): Promise<boolean> {
    const answer = await this.live.request('getRooms', {})
    if (isFailure(answer)) return false
    this.setRooms(answer.rooms)
    return true
  }

  /** The server's list of rooms, with how many people each has. */
  private setRooms(rooms: readonly RoomListing[]): void {
    this.listedRooms.value = rooms
    const counts = rooms.map(({ id, activeUsers }) => [id, activeUsers])
    this.byRoom.value = { ...this.byRoom.peek(), ...Object.fromEntries(counts) }
  }
}
