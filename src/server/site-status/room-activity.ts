import type { EventPayload } from '../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { decodeEventPayload, isEvent, type LoggedEvent, retractionEvents } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import { isSqliteBusy } from '../database/sqlite-busy.ts'
import type { Publisher } from '../live/publisher.ts'
import { canRead, type Viewer } from '../live/visibility.ts'
import { roomStream } from '../rooms/streams.ts'
import { getLastVisibleMessageId } from './queries.ts'
import { roomActivityStream } from './streams.ts'

/** Minimum time between two notifications of one room. */
const NOTIFY_INTERVAL_MS = 3_000

/**
 * Notifies connections that watch a room without being in it of new and removed messages. It follows the published event
 * log, so each region serves its own connections. Events with an audience are skipped.
 */
export class RoomActivityNotifier {
  private readonly publisher: Publisher
  private readonly read: Reader
  /** By room id, the last event that watchers have not been notified of. */
  private readonly pendingEvents = new Map<RoomId, LoggedEvent>()
  private readonly timers = new Map<RoomId, NodeJS.Timeout>()

  constructor(publisher: Publisher, read: Reader) {
    this.publisher = publisher
    this.read = read
    for (const name of ['message', ...retractionEvents] as const) publisher.on(name, ({ row }) => this.onEvent(row))
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }

  private onEvent(row: LoggedEvent): void {
    const roomId = roomStream.idOf(row.stream)
    if (roomId === null || row.audience !== null) return
    if (!this.publisher.hasSubscribers(roomActivityStream(roomId))) return
    this.pendingEvents.set(roomId, row)
    if (!this.timers.has(roomId)) this.notifyRoom(roomId)
  }

  private notifyRoom(roomId: RoomId): void {
    this.timers.delete(roomId)
    const row = this.pendingEvents.get(roomId)
    if (!row) return
    this.pendingEvents.delete(roomId)
    const isMessage = isEvent(row, 'message')
    const activity = isMessage ? { roomId, messageId: decodeEventPayload(row).id } : this.findLastMessage(roomId, null)
    if (activity) {
      this.publisher.publishEphemeral(roomActivityStream(roomId), 'roomActivity', activity, (viewer) =>
        isMessage && canRead(viewer, row) ? activity : this.findLastMessage(roomId, viewer),
      )
    }
    this.timers.set(roomId, setTimeout(() => this.notifyRoom(roomId), NOTIFY_INTERVAL_MS).unref())
  }

  /** null when the database is busy; watchers call `watchRooms` again when they change rooms. */
  private findLastMessage(roomId: RoomId, viewer: Viewer | null): EventPayload<'roomActivity'> | null {
    try {
      return { roomId, messageId: getLastVisibleMessageId(this.read, roomId, viewer) }
    } catch (error) {
      if (isSqliteBusy(error)) return null
      throw error
    }
  }
}
