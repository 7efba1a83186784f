import { decode } from '@msgpack/msgpack'
import type { EventName, EventPayload } from '../../shared/protocol/catalogue.ts'
import type { LoggedEvent } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import { isSqliteBusy } from '../database/sqlite-busy.ts'
import type { Publisher } from '../live/publisher.ts'
import { canRead, type Viewer } from '../live/visibility.ts'
import { getLastVisibleMessageId } from './queries.ts'

/** Those who watch a room hear of what is said there at most this often, however much is said. */
const NOTIFY_INTERVAL_MS = 3_000
const ACTIVITY_STREAM_PREFIX = 'activity:'

/** The stream of those who are elsewhere and want to know that something is said in the room. */
export function roomActivityStream(roomId: number): string {
  return `${ACTIVITY_STREAM_PREFIX}${roomId}`
}

export function isRoomActivityStream(stream: string): boolean {
  return stream.startsWith(ACTIVITY_STREAM_PREFIX)
}

/** After these, the last message that is there is another one. */
const roomRetractionEvents: ReadonlySet<string> = new Set<EventName>(['clearMessages', 'removeBannedMessages'])

/**
 * Tells those who were in a room and are elsewhere now that something was said there, or is there no more, from the log,
 * so in every region alike. What not everybody may hear of is not told of.
 */
export class RoomActivityNotifier {
  private readonly publisher: Publisher
  private readonly read: Reader
  /** By room, the last event that was not told of yet. */
  private readonly pendingEvents = new Map<number, LoggedEvent>()
  private readonly timers = new Map<number, NodeJS.Timeout>()

  constructor(publisher: Publisher, read: Reader) {
    this.publisher = publisher
    this.read = read
    publisher.onEvent((row) => this.onEvent(row))
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private onEvent(row: LoggedEvent): void {
    if (
      (row.name !== 'message' && !roomRetractionEvents.has(row.name)) ||
      row.audience !== null ||
      !row.stream.startsWith('room:')
    )
      return
    const roomId = Number(row.stream.slice('room:'.length))
    if (!this.publisher.hasSubscribers(roomActivityStream(roomId))) return
    this.pendingEvents.set(roomId, row)
    if (!this.timers.has(roomId)) this.notifyRoom(roomId)
  }

  private notifyRoom(roomId: number): void {
    this.timers.delete(roomId)
    const row = this.pendingEvents.get(roomId)
    if (!row) return
    this.pendingEvents.delete(roomId)
    const isSaid = row.name === 'message'
    const told = isSaid ? { roomId, messageId: messageIdOf(row) } : this.findLastMessage(roomId, null)
    if (told) {
      this.publisher.publishEphemeral(roomActivityStream(roomId), 'roomActivity', told, (viewer) =>
        isSaid && canRead(viewer, row) ? told : this.findLastMessage(roomId, viewer),
      )
    }
    this.timers.set(roomId, setTimeout(() => this.notifyRoom(roomId), NOTIFY_INTERVAL_MS).unref())
  }

  /** null where that cannot be read now: whoever watches asks again with their next move. */
  private findLastMessage(roomId: number, viewer: Viewer | null): EventPayload<'roomActivity'> | null {
    try {
      return { roomId, messageId: getLastVisibleMessageId(this.read, roomId, viewer) }
    } catch (error) {
      if (isSqliteBusy(error)) return null
      throw error
    }
  }
}

function messageIdOf({ payload }: LoggedEvent): number {
  return (decode(payload) as { id: number }).id // the log's `message` is a Message
}
