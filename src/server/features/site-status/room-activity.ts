import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
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

/** What some watchers of a room are to be notified of: everybody, or one ghost-banned user. */
interface ActivityWindow {
  /** null: everybody without a window of their own */
  readonly ghostId: UserId | null
  /** The last event that they have not been notified of. */
  pendingEvent: LoggedEvent | null
  /** Runs until the next notification may be sent; null: at once. */
  timer: NodeJS.Timeout | null
  /** When the timer ends, in milliseconds of `performance.now()`. */
  endsAt: number
}

interface RoomWindows {
  readonly everybody: ActivityWindow
  readonly ofGhosts: Map<UserId, ActivityWindow>
}

/**
 * Notifies connections that watch a room without being in it of new and removed messages. It follows the published event
 * log, so each region serves its own connections. A ghost's messages are activity for the ghost alone, who has a window which is
 * what everybody's would be without the ban: so neither gets a notification earlier or later because of the other.
 */
export class RoomActivityNotifier {
  private readonly publisher: Publisher
  private readonly read: Reader
  /** Of rooms with a window that runs. */
  private readonly rooms = new Map<RoomId, RoomWindows>()

  constructor(publisher: Publisher, read: Reader) {
    this.publisher = publisher
    this.read = read
    for (const name of ['message', ...retractionEvents] as const) publisher.on(name, ({ row }) => this.onEvent(row))
  }

  close(): void {
    for (const windows of this.rooms.values()) for (const { timer } of allOf(windows)) clearTimeout(timer ?? undefined)
    this.rooms.clear()
  }

  private onEvent(row: LoggedEvent): void {
    const roomId = roomStream.idOf(row.stream)
    if (roomId === null || row.audience?.startsWith('session:')) return
    if (!this.publisher.hasSubscribers(roomActivityStream(roomId))) return
    const windows = this.rooms.get(roomId) ?? { everybody: createWindow(null), ofGhosts: new Map() }
    this.rooms.set(roomId, windows)
    // After a removal a ghost's last message may be one that others do not see.
    if (!isEvent(row, 'message'))
      for (const ghostId of this.watchingGhosts(roomId)) this.windowOf(roomId, windows, ghostId)
    for (const window of this.windowsFor(row, roomId, windows)) {
      window.pendingEvent = row
      if (!window.timer) this.notify(roomId, windows, window)
    }
  }

  private windowsFor({ audience, actorId }: LoggedEvent, roomId: RoomId, windows: RoomWindows): ActivityWindow[] {
    if (audience !== 'actor') return allOf(windows)
    return actorId === null ? [] : [this.windowOf(roomId, windows, actorId)]
  }

  private watchingGhosts(roomId: RoomId): UserId[] {
    const viewers = [...this.publisher.subscribers(roomActivityStream(roomId))].map(({ identity }) => identity?.viewer)
    return viewers.flatMap((viewer) => (viewer?.isGhost ? [viewer.userId] : []))
  }

  /** A ghost's window, which continues everybody's. */
  private windowOf(roomId: RoomId, windows: RoomWindows, ghostId: UserId): ActivityWindow {
    const existing = windows.ofGhosts.get(ghostId)
    if (existing) return existing
    const { everybody, ofGhosts } = windows
    const window = { ...createWindow(ghostId), pendingEvent: everybody.pendingEvent }
    if (everybody.timer) this.startTimer(roomId, windows, window, everybody.endsAt)
    ofGhosts.set(ghostId, window)
    return window
  }

  private startTimer(roomId: RoomId, windows: RoomWindows, window: ActivityWindow, endsAt: number): void {
    window.endsAt = endsAt
    window.timer = setTimeout(() => this.notify(roomId, windows, window), endsAt - performance.now()).unref()
  }

  private notify(roomId: RoomId, windows: RoomWindows, window: ActivityWindow): void {
    const { pendingEvent } = window
    window.timer = null
    window.pendingEvent = null
    if (!pendingEvent) {
      this.endIdleWindows(roomId, windows)
      return
    }
    this.send(roomId, windows, window, pendingEvent)
    this.startTimer(roomId, windows, window, performance.now() + NOTIFY_INTERVAL_MS)
  }

  /** A ghost's window ends once it is everybody's again, as when nothing runs in both. */
  private endIdleWindows(roomId: RoomId, { everybody, ofGhosts }: RoomWindows): void {
    if (everybody.timer) return
    for (const [ghostId, { timer }] of ofGhosts) if (!timer) ofGhosts.delete(ghostId)
    if (ofGhosts.size === 0) this.rooms.delete(roomId)
  }

  private send(roomId: RoomId, windows: RoomWindows, window: ActivityWindow, row: LoggedEvent): void {
    const receivers = [...this.publisher.subscribers(roomActivityStream(roomId))].filter(({ identity }) => {
      return identity && (windows.ofGhosts.get(identity.viewer.userId) ?? windows.everybody) === window
    })
    const viewer = window.ghostId === null ? null : receivers[0]?.identity?.viewer
    if (viewer === undefined) return
    const isMessage = isEvent(row, 'message')
    const activity = isMessage
      ? { roomId, messageId: decodeEventPayload(row).id }
      : this.findLastMessage(roomId, viewer)
    if (!activity) return
    this.publisher.sendEphemeral(receivers, 'roomActivity', activity, (receiver) =>
      isMessage && canRead(receiver, row) ? activity : this.findLastMessage(roomId, receiver),
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

function createWindow(ghostId: UserId | null): ActivityWindow {
  return { ghostId, pendingEvent: null, timer: null, endsAt: 0 }
}

function allOf({ everybody, ofGhosts }: RoomWindows): ActivityWindow[] {
  return [everybody, ...ofGhosts.values()]
}
