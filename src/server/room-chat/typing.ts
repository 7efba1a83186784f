import type { Publisher } from '../live/publish.ts'

/** A room hears who writes at most this often, however many do. */
const TELL_MS = 1_000
/** More people than this are not named at once. */
const MOST_NAMED = 5

interface Typist {
  id: number
  username: string
}

/**
 * Who is writing in which room, gathered: one small moment a second a room, whatever 2,000 people do. Nothing of it is
 * kept, and only the room hears it.
 */
export class Typing {
  private readonly publisher: Publisher
  private readonly rooms = new Map<number, Map<number, Typist>>()
  private readonly timers = new Map<number, NodeJS.Timeout>()

  constructor(publisher: Publisher) {
    this.publisher = publisher
  }

  /** This person writes something in this room, in which they are. */
  note(roomId: number, typist: Typist): void {
    const typists = this.rooms.get(roomId) ?? new Map<number, Typist>()
    this.rooms.set(roomId, typists)
    if (typists.size < MOST_NAMED) typists.set(typist.id, typist)
    if (!this.timers.has(roomId)) this.tell(roomId)
  }

  /** What this person wrote is said, or will not be. */
  forget(roomId: number, userId: number): void {
    this.rooms.get(roomId)?.delete(userId)
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private tell(roomId: number): void {
    this.timers.delete(roomId)
    const typists = this.rooms.get(roomId)
    this.rooms.delete(roomId)
    if (!typists?.size) return
    this.publisher.moment(`room:${roomId}`, 'typing', { roomId, users: [...typists.values()] })
    const timer = setTimeout(() => this.tell(roomId), TELL_MS)
    timer.unref()
    this.timers.set(roomId, timer)
  }
}
