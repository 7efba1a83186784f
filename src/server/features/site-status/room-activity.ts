import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { retractionEvents } from '../../kernel/database/events/events.ts'
import { decodeEventPayload, isEvent, type LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { isSqliteBusy } from '../../kernel/database/sqlite-busy.ts'
import type { Publisher } from '../../kernel/live/publisher.ts'
import { canRead, type Viewer } from '../../kernel/live/visibility.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { getLastVisibleMessageId } from '../../model/site-status/queries.ts'
import { roomActivityStream } from '../../model/site-status/streams.ts'

/** Minimum time between two notifications of one room. */
const NOTIFY_INTERVAL_MS = 3_000

/** What the watchers of a room are to be notified of. */
interface ActivityWindow {
  /** The last event that they have not been notified of. */
  pendingEvent: LoggedEvent | null
  /** Runs until the next notification may be sent. */
  readonly timer: NodeJS.Timeout
}

/**
 * Notifies connections that watch a room without being in it of new and removed messages. It follows the published event
 * log, so each region serves its own connections. A ghost's messages are no activity.
 */
export class RoomActivityNotifier {
  private readonly publisher: Publisher
  private readonly read: Reader
  /** Of rooms whose next notification waits. */
  private readonly windows = new Map<RoomId, ActivityWindow>()

  constructor(publisher: Publisher, read: Reader) {
    this.publisher = publisher
    this.read = read
    for (const name of ['message', ...retractionEvents] as const) publisher.on(name, ({ row }) => this.onEvent(row))
  }

  close(): void {
    for (const { timer } of this.windows.values()) clearTimeout(timer)
    this.windows.clear()
  }

  private onEvent(row: LoggedEvent): void {
    const roomId = roomStream.idOf(row.stream)
    if (roomId === null || row.audience === 'actor' || row.audience?.startsWith('session:')) return
    if (!this.publisher.hasSubscribers(roomActivityStream(roomId))) return
    const window = this.windows.get(roomId)
    if (window) window.pendingEvent = row
    else this.notify(roomId, row)
  }

  private notify(roomId: RoomId, row: LoggedEvent): void {
    this.send(roomId, row)
    const timer = setTimeout(() => {
      this.windows.delete(roomId)
      if (window.pendingEvent) this.notify(roomId, window.pendingEvent)
    }, NOTIFY_INTERVAL_MS).unref()
    const window: ActivityWindow = { pendingEvent: null, timer }
    this.windows.set(roomId, window)
  }

  private send(roomId: RoomId, row: LoggedEvent): void {
    const isMessage = isEvent(row, 'message')
    const activity = isMessage ? { roomId, messageId: decodeEventPayload(row).id } : this.findLastMessage(roomId, null)
    if (!activity) return
    this.publisher.publishEphemeral(roomActivityStream(roomId), 'roomActivity', activity, (viewer) =>
      isMessage && canRead(viewer, row) ? activity : this.findLastMessage(roomId, viewer),
    )
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
