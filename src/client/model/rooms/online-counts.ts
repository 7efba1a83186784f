import type { RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import type { RoomCount, RoomCountScope, RoomListing } from '../../../shared/rooms/protocol.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { Cancel, Environment } from '../../core/platform/environment.ts'
import { batch, signal } from '../../core/signals/signal.ts'
import type { RoomSubscription } from './room-subscription.ts'

type Watched = Exclude<RoomCountScope, 'none'>

/** The list of rooms is fetched at most this often for rooms that it lacks. */
const LIST_INTERVAL_MS = 30_000
/** Clients that learn of a busy room at the same time fetch the list within this time of each other. */
const LIST_SPREAD_MS = 5_000

/** The latest counts of users in each room and on the site. */
export class OnlineCounts {
  /** By room id. */
  readonly byRoom = signal<Readonly<Record<number, number>>>({})
  readonly siteTotal = signal(0)
  /** The listed rooms: the busiest, as the last page had them, or all of them once they were fetched. */
  readonly listedRooms = signal<readonly RoomListing[]>([])
  /** How many rooms are listed. */
  readonly listedRoomCount = signal(0)

  private readonly environment: Environment
  private readonly live: LiveClient
  /** The scope that each visible list watches. */
  private readonly watchers = new Set<{ scope: Watched }>()
  private watchedScope: RoomCountScope = 'none'
  /** Rooms that the list lacked when all were fetched: they are not listed. */
  private unlistedIds: ReadonlySet<RoomId> = new Set()
  private cancelListFetch: Cancel | null = null
  private listFetchedAt = Number.NEGATIVE_INFINITY

  constructor(environment: Environment, live: LiveClient, roomSubscription: RoomSubscription) {
    this.environment = environment
    this.live = live
    roomSubscription.addListener({ onPageOpened: (page) => this.onPageOpened(page) })
    live.on('roomUserCountUpdate', ({ rooms }) => this.onCounts(rooms))
    live.onConnected(() => {
      if (this.watchedScope !== 'none') void this.requestCounts(this.watchedScope)
    })
    live.on('roomCreated', ({ room, isList }) => isList && this.addRoom(room))
    live.on('roomDeactivated', ({ roomId, isList }) => isList && this.removeRoom(roomId))
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

  private onPageOpened({ room, rooms, roomCount, onlineCount }: RoomPageProps): void {
    this.setRooms(rooms, roomCount)
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
    if (!isFailure(answer)) this.onCounts(answer.rooms)
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
    this.setRooms(answer.rooms, answer.rooms.length)
    this.unlistedIds = new Set(this.missingIds(Object.keys(this.byRoom.peek()).map(Number)))
    return true
  }

  /** Applies counts, and fetches the list when it lacks a room that is busier than its quietest one. */
  private onCounts(counts: readonly RoomCount[]): void {
    this.setCounts(counts)
    const byRoom = this.byRoom.peek()
    const listed = this.listedRooms.peek().map(({ id, activeUsers }) => byRoom[id] ?? activeUsers)
    const least = listed.length === 0 ? 0 : Math.min(...listed)
    const busyIds = counts.flatMap(({ roomId, activeUsers }) => (activeUsers > least ? [roomId] : []))
    if (this.missingIds(busyIds).some((id) => !this.unlistedIds.has(id))) this.scheduleListFetch()
  }

  /** Counts a room that became active, and lists it unless the list has only the busiest. */
  private addRoom(room: RoomListing): void {
    const rooms = this.listedRooms.peek()
    if (rooms.some(({ id }) => id === room.id)) return
    batch(() => {
      if (this.hasAllRooms()) this.listedRooms.value = [...rooms, room]
      this.listedRoomCount.value++
      this.setCounts([{ roomId: room.id, activeUsers: room.activeUsers }])
    })
  }

  private removeRoom(roomId: RoomId): void {
    const rooms = this.listedRooms.peek()
    const others = rooms.filter(({ id }) => id !== roomId)
    if (others.length === rooms.length && this.hasAllRooms()) return
    batch(() => {
      this.listedRooms.value = others
      this.listedRoomCount.value--
    })
  }

  private hasAllRooms(): boolean {
    return this.listedRooms.peek().length === this.listedRoomCount.peek()
  }

  private missingIds(ids: readonly RoomId[]): RoomId[] {
    const listedIds = new Set(this.listedRooms.peek().map(({ id }) => id))
    return ids.filter((id) => !listedIds.has(id))
  }

  private scheduleListFetch(): void {
    const waitMs = Math.max(0, this.listFetchedAt + LIST_INTERVAL_MS - this.environment.now())
    const spreadMs = this.environment.random() * LIST_SPREAD_MS
    this.cancelListFetch ??= this.environment.setTimer(waitMs + spreadMs, () => {
      this.cancelListFetch = null
      this.listFetchedAt = this.environment.now()
      void this.loadRooms()
    })
  }

  /** Applies the server's list of rooms with their user counts; `total` counts also those that it leaves out. */
  private setRooms(rooms: readonly RoomListing[], total: number): void {
    this.listedRooms.value = rooms
    this.listedRoomCount.value = total
    this.setCounts(rooms.map(({ id, activeUsers }) => ({ roomId: id, activeUsers })))
  }

  private setCounts(counts: readonly RoomCount[]): void {
    const changed = counts.map(({ roomId, activeUsers }) => [roomId, activeUsers])
    this.byRoom.value = { ...this.byRoom.peek(), ...Object.fromEntries(changed) }
  }
}
