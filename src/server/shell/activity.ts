import { decode } from '@msgpack/msgpack'
import type { LoggedEvent } from '../database/events.ts'
import type { Publisher } from '../live/publish.ts'

/** Those who watch a room hear of what is said there at most this often, however much is said. */
const TELL_MS = 3_000
const PREFIX = 'activity:'

/** The stream of those who are elsewhere and want to know that something is said in the room. */
export function activityStream(roomId: number): string {
  return `${PREFIX}${roomId}`
}

export function isActivityStream(stream: string): boolean {
  return stream.startsWith(PREFIX)
}

/**
 * Tells those who were in a room and are elsewhere now that something was said there, from the log, so in every region
 * alike. What not everybody may hear of is not told of.
 */
export class Activity {
  private readonly publisher: Publisher
  /** By room, the last message that was not told of yet. */
  private readonly untold = new Map<number, LoggedEvent>()
  private readonly timers = new Map<number, NodeJS.Timeout>()

  constructor(publisher: Publisher) {
    this.publisher = publisher
    publisher.onRow((row) => this.heard(row))
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private heard(row: LoggedEvent): void {
    if (row.name !== 'message' || row.audience !== null || !row.stream.startsWith('room:')) return
    const roomId = Number(row.stream.slice('room:'.length))
    if (!this.publisher.hasListeners(activityStream(roomId))) return
    this.untold.set(roomId, row)
    if (!this.timers.has(roomId)) this.tell(roomId)
  }

  private tell(roomId: number): void {
    this.timers.delete(roomId)
    const row = this.untold.get(roomId)
    if (!row) return
    this.untold.delete(roomId)
    const { id } = decode(row.payload) as { id: number } // the log's `message` is a Message
    this.publisher.moment(activityStream(roomId), 'roomActivity', { roomId, messageId: id })
    this.timers.set(roomId, setTimeout(() => this.tell(roomId), TELL_MS).unref())
  }
}
