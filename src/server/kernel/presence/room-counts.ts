import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { BUSIEST_ROOMS } from '../../../shared/rooms/limits.ts'
import type { RoomCount, RoomCountScope } from '../../../shared/rooms/protocol.ts'
import type { Connection } from '../live/connection.ts'
import type { Publisher } from '../live/publisher.ts'
import type { PresenceViewer } from '../live/visibility.ts'
import { busiestRoomCountStream, roomCountStream } from './streams.ts'

interface RoomCountsOptions {
  publisher: Publisher
  connectionsOf(userId: UserId): readonly Connection[]
  /** The rooms whose count is another one for the viewer than for everybody, as for a ghost. */
  ownCounts(viewer: PresenceViewer | null): RoomCount[]
}

/**
 * Publishes the user counts of rooms that changed, as one event, to the connections that watch them. Its cost depends on
 * the rooms that changed, not on all rooms.
 */
export class RoomCounts {
  private readonly options: RoomCountsOptions
  private readonly rooms = new RoomsBySize()
  /** Rooms that changed since the last publication, and their counts at that time. */
  private readonly changed = new Map<RoomId, number>()
  /** The least count of a room in the scope `busiest`, as last published. */
  private threshold = Number.POSITIVE_INFINITY

  constructor(options: RoomCountsOptions) {
    this.options = options
  }

  /** Users have entered or left the room. */
  setSize(roomId: RoomId, size: number): void {
    if (!this.changed.has(roomId)) this.changed.set(roomId, this.rooms.sizeOf(roomId))
    this.rooms.set(roomId, size)
  }

  /** Sends a ghost who has entered or left the room its count as the ghost sees it. */
  sendOwn(roomId: RoomId, userId: UserId): void {
    const { publisher, connectionsOf, ownCounts } = this.options
    for (const connection of connectionsOf(userId)) {
      if (!connection.streams.has(roomCountStream) && !connection.streams.has(busiestRoomCountStream)) continue
      const room = { roomId, activeUsers: this.rooms.sizeOf(roomId) }
      const rooms = withOwn([room], ownCounts(connection.identity?.viewer ?? null))
      publisher.sendEphemeral([connection], 'roomUserCountUpdate', { rooms })
    }
  }

  /** Subscribes the connection to a scope, in place of the scope before, and returns the present counts of it. */
  watch(connection: Connection, scope: RoomCountScope): RoomCount[] {
    const { publisher, ownCounts } = this.options
    publisher.unsubscribe(connection, roomCountStream)
    publisher.unsubscribe(connection, busiestRoomCountStream)
    if (scope === 'none') return []
    publisher.subscribe(connection, scope === 'all' ? roomCountStream : busiestRoomCountStream, 0)
    const present = this.rooms.ofAtLeast(scope === 'all' ? 0 : this.rooms.threshold(BUSIEST_ROOMS))
    const own = ownCounts(connection.identity?.viewer ?? null)
    const missing = own.filter(({ roomId }) => !present.some((room) => room.roomId === roomId))
    return withOwn([...present, ...missing], own)
  }

  /**
   * Publishes the counts of rooms that users entered or left since the last call. Equal counts too: a page or an answer
   * in between may have shown another one.
   */
  publishChanges(): void {
    if (this.changed.size === 0) return
    const threshold = this.rooms.threshold(BUSIEST_ROOMS)
    const changes: RoomCount[] = []
    const busiest: RoomCount[] = []
    for (const [roomId, before] of this.changed) {
      const activeUsers = this.rooms.sizeOf(roomId)
      changes.push({ roomId, activeUsers })
      // A room that leaves the scope is published once more.
      if (activeUsers >= threshold || before >= this.threshold) busiest.push({ roomId, activeUsers })
    }
    this.changed.clear()
    this.threshold = threshold
    const { publisher, ownCounts } = this.options
    for (const [stream, rooms] of [
      [roomCountStream, changes],
      [busiestRoomCountStream, busiest],
    ] as const) {
      if (rooms.length === 0) continue
      const payload = { rooms }
      publisher.publishEphemeral(stream, 'roomUserCountUpdate', payload, (viewer) =>
        viewer.isGhost ? { rooms: withOwn(rooms, ownCounts(viewer)) } : payload,
      )
    }
  }
}

function withOwn(rooms: readonly RoomCount[], own: readonly RoomCount[]): RoomCount[] {
  return rooms.map((room) => own.find(({ roomId }) => roomId === room.roomId) ?? room)
}

/** Rooms grouped by their number of users, so that the busiest are found without looking at every room. */
export class RoomsBySize {
  private readonly sizes = new Map<RoomId, number>()
  private readonly roomsOfSize = new Map<number, Set<RoomId>>()

  set(roomId: RoomId, size: number): void {
    const before = this.sizes.get(roomId)
    if (before === size) return
    if (before !== undefined) {
      const others = this.roomsOfSize.get(before)
      others?.delete(roomId)
      if (others?.size === 0) this.roomsOfSize.delete(before)
    }
    this.sizes.set(roomId, size)
    const rooms = this.roomsOfSize.get(size)
    if (rooms) rooms.add(roomId)
    else this.roomsOfSize.set(size, new Set([roomId]))
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
