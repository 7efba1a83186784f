import { decode } from '@msgpack/msgpack'
import type { EventName, EventPayload } from '../../shared/protocol/catalogue.ts'
import type { LoggedEvent } from '../database/events.ts'
import { isHeldUp } from '../database/held-up.ts'
import type { Reader } from '../database/read.ts'
import type { Publisher } from '../live/publish.ts'
import { mayRead, type Viewer } from '../live/visibility.ts'
import { lastMessageId } from './queries.ts'

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

/** After these, the last message that is there is another one. */
const takesAway: ReadonlySet<string> = new Set<EventName>(['clearMessages', 'removeBannedMessages'])

/**
 * Tells those who were in a room and are elsewhere now that something was said there, or is there no more, from the log,
 * so in every region alike. What not everybody may hear of is not told of.
 */
export class Activity {
  private readonly publisher: Publisher
  private readonly read: Reader
  /** By room, the last event that was not told of yet. */
  private readonly untold = new Map<number, LoggedEvent>()
  private readonly timers = new Map<number, NodeJS.Timeout>()

  constructor(publisher: Publisher, read: Reader) {
    this.publisher = publisher
    this.read = read
    publisher.onRow((row) => this.heard(row))
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private heard(row: LoggedEvent): void {
    if (
      (row.name !== 'message' && !takesAway.has(row.name)) ||
      row.audience !== null ||
      !row.stream.startsWith('room:')
    )
      return
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
    const isSaid = row.name === 'message'
    const told = isSaid ? { roomId, messageId: idOf(row) } : this.lastIn(roomId, null)
    if (told) {
      this.publisher.moment(activityStream(roomId), 'roomActivity', told, (viewer) =>
        isSaid && mayRead(viewer, row) ? told : this.lastIn(roomId, viewer),
      )
    }
    this.timers.set(roomId, setTimeout(() => this.tell(roomId), TELL_MS).unref())
  }

  /** null where that cannot be read now: whoever watches asks again with their next move. */
  private lastIn(roomId: number, viewer: Viewer | null): EventPayload<'roomActivity'> | null {
    try {
      return { roomId, messageId: lastMessageId(this.read, roomId, viewer) }
    } catch (error) {
      if (isHeldUp(error)) return null
      throw error
    }
  }
}

function idOf({ payload }: LoggedEvent): number {
  return (decode(payload) as { id: number }).id // the log's `message` is a Message
}
