import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import type { RoomCount, RoomCountScope, RoomListing } from '../../shared/rooms/protocol.ts'
import { isFailure } from '../http/is-failure.ts'
import type { LiveClient } from '../live/live-client.ts'
import { signal } from '../signal.ts'
import type { RoomSubscription } from './room-subscription.ts'

type Watched = Exclude<RoomCountScope, 'none'>

/** The latest counts of users in each room and on the site. */
export class OnlineCounts {
  /** By room id. */
  readonly byRoom = signal<Readonly<Record<number, number>>>({})
  readonly siteTotal = signal(0)
  /** The listed rooms, as the last page or answer had them. */
  readonly listedRooms = signal<readonly RoomListing[]>([])

  private readonly live: LiveClient
  /** The scope that each visible list watches. */
  private readonly watchers = new Set<{ scope: Watched }>()
  private watchedScope: RoomCountScope = 'none'

  constructor(live: LiveClient, roomSubscription: RoomSubscription) {
    this.live = live
    roomSubscription.addListener({ onPageOpened: (page) => this.onPageOpened(page) })
    live.on('roomUserCountUpdate', ({ rooms }) => this.setCounts(rooms))
    live.onConnected(() => {
      if (this.watchedScope !== 'none') void this.requestCounts(this.watchedScope)
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
    this.setCounts([{ roomId: room.id, activeUsers: room.activeUsers }])
    this.siteTotal.value = onlineCount
  }

  /** Keeps the counts of these rooms current, across reconnects, until the returned function is called. */
  watch(scope: Watched): () => void {
    const watcher = { scope }
    this.watchers.add(watcher)
    this.updateScope()
    return () => {
      this.watchers.delete(watcher)
      this.updateScope()
    }
  }

  private updateScope(): void {
    const scopes = [...this.watchers].map(({ scope }) => scope)
    const scope = scopes.includes('all') ? 'all' : (scopes[0] ?? 'none')
    if (scope === this.watchedScope) return
    this.watchedScope = scope
    void this.requestCounts(scope)
  }

  private async requestCounts(scope: RoomCountScope): Promise<void> {
    const answer = await this.live.request('watchRoomCounts', { scope })
    if (!isFailure(answer)) this.setCounts(answer.rooms)
  }

  /** Fetches again: events are missing. */
  async refresh(): Promise<void> {
    const status = this.live.request('getStatus', {})
    await this.loadRooms()
    const answer = await status
    if (!isFailure(answer)) this.siteTotal.value = answer.activeUsers
  }

  /** Fetches the list of rooms; false when the request failed. */
  async loadRooms(): Promise<boolean> {
    const answer = await this.live.request('getRooms', {})
    if (isFailure(answer)) return false
    this.setRooms(answer.rooms)
    return true
  }

  /** Applies the server's list of rooms with their user counts. */
  private setRooms(rooms: readonly RoomListing[]): void {
    this.listedRooms.value = rooms
    this.setCounts(rooms.map(({ id, activeUsers }) => ({ roomId: id, activeUsers })))
  }

  private setCounts(counts: readonly RoomCount[]): void {
    const changed = counts.map(({ roomId, activeUsers }) => [roomId, activeUsers])
    this.byRoom.value = { ...this.byRoom.peek(), ...Object.fromEntries(changed) }
  }
}
