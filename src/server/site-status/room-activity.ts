import type { EventPayload } from '../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { decodeEventPayload, isEvent, type LoggedEvent, retractionEvents } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import { isSqliteBusy } from '../database/sqlite-busy.ts'
import { encodeEphemeral, type Publisher } from '../live/publisher.ts'
import { canRead, type Viewer } from '../live/visibility.ts'
import { roomStream } from '../rooms/streams.ts'
import { getLastVisibleMessageId } from './queries.ts'
import { roomActivityStream } from './streams.ts'

/** Minimum time between two notifications of one room. */
const NOTIFY_INTERVAL_MS = 3_000

/**
 * Notifies connections that watch a room without being in it of new and removed messages. It follows the published event
 * log, so each region serves its own connections. A message with an audience is activity for its sender alone.
 */
export class RoomActivityNotifier {
  private readonly publisher: Publisher
  private readonly read: Reader
  /** By room, and for a restricted message by room and sender, the last event that watchers have not been notified of. */
  private readonly pendingEvents = new Map<string, LoggedEvent>()
  private readonly timers = new Map<string, NodeJS.Timeout>()

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
    if (roomId === null || row.audience?.startsWith('session:')) return
    if (!this.publisher.hasSubscribers(roomActivityStream(roomId))) return
    const key = row.audience === 'actor' ? `${roomId} ${row.actorId}` : `${roomId}`
    this.pendingEvents.set(key, row)
    if (!this.timers.has(key)) this.notify(roomId, key)
  }

  private notify(roomId: RoomId, key: string): void {
    this.timers.delete(key)
    const row = this.pendingEvents.get(key)
    if (!row) return
    this.pendingEvents.delete(key)
    if (row.audience === 'actor') this.notifySender(roomId, row)
    else this.notifyAll(roomId, row)
    this.timers.set(key, setTimeout(() => this.notify(roomId, key), NOTIFY_INTERVAL_MS).unref())
  }

  private notifySender(roomId: RoomId, row: LoggedEvent): void {
    for (const connection of this.publisher.subscribers(roomActivityStream(roomId))) {
      const viewer = connection.identity?.viewer
      if (!viewer || viewer.userId !== row.actorId) continue
      const activity = isEvent(row, 'message')
        ? { roomId, messageId: decodeEventPayload(row).id }
        : this.findLastMessage(roomId, viewer)
      if (activity) this.publisher.enqueue(connection, encodeEphemeral('roomActivity', activity))
    }
  }

  private notifyAll(roomId: RoomId, row: LoggedEvent): void {
    const isMessage = isEvent(row, 'message')
    const activity = isMessage ? { roomId, messageId: decodeEventPayload(row).id } : this.findLastMessage(roomId, null)
    if (activity) {
      this.publisher.publishEphemeral(roomActivityStream(roomId), 'roomActivity', activity, (viewer) =>
        isMessage && canRead(viewer, row) ? activity : this.findLastMessage(roomId, viewer),
      )
    }
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
