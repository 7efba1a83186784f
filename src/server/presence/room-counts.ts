import type { RoomId } from '../../shared/protocol/ids.ts'
import { BUSIEST_ROOMS } from '../../shared/rooms/limits.ts'
import type { RoomCount, RoomCountScope } from '../../shared/rooms/protocol.ts'
import type { Connection } from '../live/connection.ts'
import type { Publisher } from '../live/publisher.ts'
import { busiestRoomCountStream, roomCountStream } from './streams.ts'

/** The count of a room, and a revision that rises with every change, also with one that is undone. */
interface CountedRoom {
  readonly size: number
  readonly revision: number
}

/** Publishes the user counts of rooms that changed, as one event, to the connections that watch them. */
export class RoomCounts {
  private readonly publisher: Publisher
  private readonly rooms: ReadonlyMap<RoomId, CountedRoom>
  private readonly published = new Map<RoomId, CountedRoom>()
  /** The least count of a room in the scope `busiest`, as last published. */
  private publishedThreshold = Number.POSITIVE_INFINITY

  constructor(publisher: Publisher, rooms: ReadonlyMap<RoomId, CountedRoom>) {
    this.publisher = publisher
    this.rooms = rooms
  }

  /** Subscribes the connection to a scope, in place of the scope before, and returns the present counts of it. */
  watch(connection: Connection, scope: RoomCountScope): RoomCount[] {
    this.publisher.unsubscribe(connection, roomCountStream)
    this.publisher.unsubscribe(connection, busiestRoomCountStream)
    if (scope === 'none') return []
    this.publisher.subscribe(connection, scope === 'all' ? roomCountStream : busiestRoomCountStream, 0)
    const counts = [...this.rooms].map(([roomId, { size }]) => ({ roomId, activeUsers: size }))
    if (scope === 'all') return counts
    const threshold = this.threshold()
    return counts.filter(({ activeUsers }) => activeUsers >= threshold)
  }

  /**
   * Publishes the counts of rooms that users entered or left since the last call. Equal counts too: a page or an answer
   * in between may have shown another one.
   */
  publishChanges(): void {
    const changes: RoomCount[] = []
    const busiest: RoomCount[] = []
    const threshold = this.threshold()
    for (const [roomId, { size, revision }] of this.rooms) {
      const before = this.published.get(roomId) ?? { size: 0, revision: 0 }
      if (before.revision === revision) continue
      this.published.set(roomId, { size, revision })
      changes.push({ roomId, activeUsers: size })
      // A room that leaves the scope is published once more.
      if (size >= threshold || before.size >= this.publishedThreshold) busiest.push({ roomId, activeUsers: size })
    }
    this.publishedThreshold = threshold
    if (changes.length) this.publisher.publishEphemeral(roomCountStream, 'roomUserCountUpdate', { rooms: changes })
    if (busiest.length)
      this.publisher.publishEphemeral(busiestRoomCountStream, 'roomUserCountUpdate', { rooms: busiest })
  }

  private threshold(): number {
    if (this.rooms.size <= BUSIEST_ROOMS) return 0
    const sizes = Float64Array.from(this.rooms.values(), ({ size }) => size).sort()
    return sizes[sizes.length - BUSIEST_ROOMS] ?? 0
  }
}
