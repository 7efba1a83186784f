import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import type { RoomListing } from '../../shared/rooms/protocol.ts'
import type { LiveClient } from '../live/live-client.ts'
import { signal } from '../signal.ts'
import type { RoomSubscription } from './room-subscription.ts'

/** How many people each room and the whole site have, as last told. */
export class OnlineCounts {
  /** By room id. */
  readonly byRoom = signal<Readonly<Record<number, number>>>({})
  readonly siteTotal = signal(0)
  /** The listed rooms, as the last page or answer had them. */
  readonly listedRooms = signal<readonly RoomListing[]>([])

  constructor(live: LiveClient, roomLine: RoomSubscription) {
    roomLine.addListener({ onPageOpened: (page) => this.onPageOpened(page) })
    live.on('roomUserCountUpdate', ({ roomId, activeUsers }) => {
      this.byRoom.value = { ...this.byRoom.peek(), [roomId]: activeUsers }
    })
    live.on('activeUsersCount', ({ count }) => {
      this.siteTotal.value = count
    })
    // Root admins get everyone, and then who comes and goes, in place of a count.
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

  /** The server's list of rooms, with how many people each has. */
  setRooms(rooms: readonly RoomListing[]): void {
    this.listedRooms.value = rooms
    const counts = rooms.map(({ id, activeUsers }) => [id, activeUsers])
    this.byRoom.value = { ...this.byRoom.peek(), ...Object.fromEntries(counts) }
  }
}
