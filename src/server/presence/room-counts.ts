import type { RoomId } from '../../shared/protocol/ids.ts'
import { BUSIEST_ROOMS } from '../../shared/rooms/limits.ts'
import type { RoomCount, RoomCountScope } from '../../shared/rooms/protocol.ts'
import type { Connection } from '../live/connection.ts'
import type { Publisher } from '../live/publisher.ts'
import { RoomsBySize } from './rooms-by-size.ts'
import { busiestRoomCountStream, roomCountStream } from './streams.ts'

/**
 * Publishes the user counts of rooms that changed, as one event, to the connections that watch them. Its cost depends on
 * the rooms that changed, not on all rooms.
 */
export class RoomCounts {
  private readonly publisher: Publisher
  private readonly rooms = new RoomsBySize()
  /** Rooms that changed since the last publication, and their counts at that time. */
  private readonly changed = new Map<RoomId, number>()
  /** The least count of a room in the scope `busiest`, as last published. */
  private publishedThreshold = Number.POSITIVE_INFINITY

  constructor(publisher: Publisher) {
    this.publisher = publisher
  }

  /** Users have entered or left the room. */
  setSize(roomId: RoomId, size: number): void {
    if (!this.changed.has(roomId)) this.changed.set(roomId, this.rooms.sizeOf(roomId))
    this.rooms.set(roomId, size)
  }

  /** Subscribes the connection to a scope, in place of the scope before, and returns the present counts of it. */
  watch(connection: Connection, scope: RoomCountScope): RoomCount[] {
    this.publisher.unsubscribe(connection, roomCountStream)
    this.publisher.unsubscribe(connection, busiestRoomCountStream)
    if (scope === 'none') return []
    this.publisher.subscribe(connection, scope === 'all' ? roomCountStream : busiestRoomCountStream, 0)
    return this.rooms.ofAtLeast(scope === 'all' ? 0 : this.rooms.threshold(BUSIEST_ROOMS))
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
      if (activeUsers >= threshold || before >= this.publishedThreshold) busiest.push({ roomId, activeUsers })
    }
    this.changed.clear()
    this.publishedThreshold = threshold
    this.publisher.publishEphemeral(roomCountStream, 'roomUserCountUpdate', { rooms: changes })
    if (busiest.length)
      this.publisher.publishEphemeral(busiestRoomCountStream, 'roomUserCountUpdate', { rooms: busiest })
  }
}
