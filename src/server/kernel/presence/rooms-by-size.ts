import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { RoomCount } from '../../../shared/rooms/protocol.ts'

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
