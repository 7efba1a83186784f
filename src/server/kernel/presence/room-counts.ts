import { LRUCache } from 'lru-cache'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { BUSIEST_ROOMS } from '../../../shared/rooms/limits.ts'
import type { RoomCount, RoomCountScope } from '../../../shared/rooms/protocol.ts'
import type { Stream } from '../database/events/streams.ts'
import type { Connection } from '../live/connection.ts'
import type { Publisher } from '../live/publisher.ts'
import { type RosterReceivers, receiversOf } from './roster-listeners.ts'
import type { ViewOwner } from './roster-view.ts'
import { busiestRoomCountStream, roomCountStream } from './streams.ts'

/** Those who were here last. */
const MAX_REMEMBERED_GHOSTS = 1_000

/** What some connections were sent of the counts. */
interface PublishedCounts {
  /** Rooms that changed since the last publication, and their counts at that time. */
  changed: Map<RoomId, number>
  /** The least count of a room in the scope `busiest`, as last published. */
  threshold: number
}

/** The counts as a ghost-banned user sees them. */
interface GhostCounts extends PublishedCounts {
  /** Rooms that the ghost sees otherwise than everybody, and their counts for the ghost. */
  own: Map<RoomId, number>
  left: Set<RoomId>
  /** The user is no ghost any more; what is due is published once more. */
  isEnding: boolean
}

/**
 * Publishes the user counts of rooms that changed, as one event, to the connections that watch them. Its cost depends on
 * the rooms that changed, not on all rooms. Ghost-banned users get theirs by themselves.
 */
export class RoomCounts {
  private readonly publisher: Publisher
  private readonly receivers: RosterReceivers
  private readonly rooms = new RoomsBySize()
  private readonly everybody: PublishedCounts = { changed: new Map(), threshold: Number.POSITIVE_INFINITY }
  private readonly ghosts = new Map<UserId, GhostCounts>()
  /** Rooms that a ghost has left: a room that a user has left stays known. Kept while the ghost is away. */
  private readonly leftRooms = new LRUCache<UserId, Set<RoomId>>({ max: MAX_REMEMBERED_GHOSTS })

  constructor(receivers: RosterReceivers) {
    this.publisher = receivers.publisher
    this.receivers = receivers
  }

  /** Users have entered or left the room, as `owner` sees it. */
  setSize(roomId: RoomId, size: number, owner: ViewOwner = 'everybody'): void {
    if (owner === 'everybody') {
      const before = this.rooms.sizeOf(roomId)
      markChanged(this.everybody, roomId, before)
      for (const ghost of this.ghosts.values()) if (!ghost.own.has(roomId)) markChanged(ghost, roomId, before)
      this.rooms.set(roomId, size)
      return
    }
    const ghost = typeof owner === 'number' ? this.ghosts.get(owner) : undefined
    if (!ghost) return
    markChanged(ghost, roomId, ghost.own.get(roomId) ?? this.rooms.sizeOf(roomId))
    ghost.own.set(roomId, size)
  }

  /** The user sees this count of a room from now on, and no longer everybody's; null: everybody's again. */
  setOwnSize(userId: UserId, roomId: RoomId, size: number | null): void {
    const ghost = this.ghosts.get(userId)
    if (size === null) {
      ghost?.own.delete(roomId)
      ghost?.left.add(roomId)
    } else ghost?.own.set(roomId, size)
  }

  /** The user is a ghost from now on, and is sent what is due to everybody and has not been published yet. */
  openForGhost(userId: UserId): void {
    const { changed, threshold } = this.everybody
    const ghost = this.ghosts.get(userId)
    if (ghost) ghost.isEnding = false
    else {
      const left = this.leftRooms.get(userId) ?? new Set()
      this.leftRooms.set(userId, left)
      this.ghosts.set(userId, { changed: new Map(changed), threshold, own: new Map(), left, isEnding: false })
    }
  }

  closeForGhost(userId: UserId): void {
    const ghost = this.ghosts.get(userId)
    if (ghost) ghost.isEnding = true
  }

  /** Subscribes the connection to a scope, in place of the scope before, and returns the present counts of it. */
  watch(connection: Connection, scope: RoomCountScope): RoomCount[] {
    this.publisher.unsubscribe(connection, roomCountStream)
    this.publisher.unsubscribe(connection, busiestRoomCountStream)
    if (scope === 'none') return []
    this.publisher.subscribe(connection, scope === 'all' ? roomCountStream : busiestRoomCountStream, 0)
    const present = () => this.rooms.ofAtLeast(scope === 'all' ? 0 : this.rooms.threshold(BUSIEST_ROOMS))
    const userId = connection.identity?.viewer.userId
    const ghost = userId === undefined ? undefined : this.ghosts.get(userId)
    return ghost ? this.asSeenBy(ghost, present) : present()
  }

  /**
   * Publishes the counts of rooms that users entered or left since the last call. Equal counts too: a page or an answer
   * in between may have shown another one.
   */
  publishChanges(): void {
    this.publishTo('everybody', this.everybody)
    for (const [userId, ghost] of this.ghosts) {
      this.asSeenBy(ghost, () => this.publishTo(userId, ghost))
      if (ghost.isEnding) this.ghosts.delete(userId)
    }
  }

  private publishTo(owner: ViewOwner, published: PublishedCounts): void {
    if (published.changed.size === 0) return
    const threshold = this.rooms.threshold(BUSIEST_ROOMS)
    const changes: RoomCount[] = []
    const busiest: RoomCount[] = []
    for (const [roomId, before] of published.changed) {
      const activeUsers = this.rooms.sizeOf(roomId)
      changes.push({ roomId, activeUsers })
      // A room that leaves the scope is published once more.
      if (activeUsers >= threshold || before >= published.threshold) busiest.push({ roomId, activeUsers })
    }
    published.changed.clear()
    published.threshold = threshold
    this.send(owner, roomCountStream, changes)
    if (busiest.length) this.send(owner, busiestRoomCountStream, busiest)
  }

  private send(owner: ViewOwner, stream: Stream, rooms: RoomCount[]): void {
    if (this.ghosts.size === 0) {
      this.publisher.publishEphemeral(stream, 'roomUserCountUpdate', { rooms })
      return
    }
    const isOfEverybody = ({ identity }: Connection) => !identity || !this.ghosts.has(identity.viewer.userId)
    const receivers = receiversOf(this.receivers, stream, { owner, servesAll: false, serves: isOfEverybody })
    this.publisher.sendEphemeral(receivers, 'roomUserCountUpdate', { rooms })
  }

  /** Runs `read` with the counts that the ghost sees. */
  private asSeenBy<T>({ own, left }: GhostCounts, read: () => T): T {
    const emptied = [...left].map((roomId) => [roomId, this.rooms.sizeOf(roomId)] as const)
    const seen = new Map([...emptied, ...own])
    const before = [...seen.keys()].map(
      (roomId) => [roomId, this.rooms.has(roomId) ? this.rooms.sizeOf(roomId) : null] as const,
    )
    for (const [roomId, size] of seen) this.rooms.set(roomId, size)
    try {
      return read()
    } finally {
      for (const [roomId, size] of before) {
        if (size === null) this.rooms.delete(roomId)
        else this.rooms.set(roomId, size)
      }
    }
  }
}

function markChanged({ changed }: PublishedCounts, roomId: RoomId, before: number): void {
  if (!changed.has(roomId)) changed.set(roomId, before)
}

/** Rooms grouped by their number of users, so that the busiest are found without looking at every room. */
export class RoomsBySize {
  private readonly sizes = new Map<RoomId, number>()
  private readonly roomsOfSize = new Map<number, Set<RoomId>>()

  set(roomId: RoomId, size: number): void {
    const before = this.sizes.get(roomId)
    if (before === size) return
    this.delete(roomId)
    this.sizes.set(roomId, size)
    const rooms = this.roomsOfSize.get(size)
    if (rooms) rooms.add(roomId)
    else this.roomsOfSize.set(size, new Set([roomId]))
  }

  /** Forgets a room, as if it had never had users. */
  delete(roomId: RoomId): void {
    const size = this.sizes.get(roomId)
    if (size === undefined) return
    this.sizes.delete(roomId)
    const others = this.roomsOfSize.get(size)
    others?.delete(roomId)
    if (others?.size === 0) this.roomsOfSize.delete(size)
  }

  /** Whether the room has ever had users. */
  has(roomId: RoomId): boolean {
    return this.sizes.has(roomId)
  }

  sizeOf(roomId: RoomId): number {
    return this.sizes.get(roomId) ?? 0
  }

  /** The least size of the `count` busiest rooms; 0 when there are no more rooms than that. */
  threshold(count: number): number {
    if (this.sizes.size <= count) return 0
    let found = 0
    for (const size of this.descendingSizes()) {
      found += this.roomsOfSize.get(size)?.size ?? 0
      if (found >= count) return size
    }
    return 0
  }

  /** The rooms of at least this size, by id. */
  ofAtLeast(threshold: number): RoomCount[] {
    return this.descendingSizes()
      .filter((size) => size >= threshold)
      .flatMap((size) => [...(this.roomsOfSize.get(size) ?? [])].map((roomId) => ({ roomId, activeUsers: size })))
      .sort((a, b) => a.roomId - b.roomId)
  }

  /** Few: many rooms have the same size. */
  private descendingSizes(): number[] {
    return [...this.roomsOfSize.keys()].sort((a, b) => b - a)
  }
}
