import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { MAX_WATCHED_ROOMS } from '../../../shared/site-status/limits.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { Environment } from '../../core/platform/environment.ts'
import { signal } from '../../core/signals/signal.ts'
import { listenForBlocks } from '../../model/relations/block-listener.ts'

const STORE_KEY = 'visitedRooms'

/**
 * The rooms that this tab has visited, and whether each has a new message since. It subscribes to their activity after
 * every move and on every new connection; the events hold only the id of the last message.
 */
export class UnreadRooms {
  /** Rooms visited in this session with a new message; never the present one. */
  readonly roomIds = signal<ReadonlySet<RoomId>>(new Set())

  private readonly environment: Environment
  private readonly live: LiveClient
  private currentRoomId: RoomId | null = null
  /** The last message received in the present room. */
  private lastMessageId: MessageId | null = null
  /** By room, the last message when the tab left it; null until the server has answered. */
  private readonly lastReadIds: Map<RoomId, MessageId | null>

  constructor(environment: Environment, live: LiveClient) {
    this.environment = environment
    this.live = live
    this.lastReadIds = parseStored(environment.tabStorage.get(STORE_KEY))
    live.on('message', ({ roomId, id }) => {
      if (roomId === this.currentRoomId) this.lastMessageId = id
    })
    live.on('roomActivity', ({ roomId, messageId }) => this.onRoomActivity(roomId, messageId))
    // Messages of blocked users do not mark a room unread.
    listenForBlocks(live, { onBlocked: () => void this.watch(), onUnblocked: () => void this.watch() })
    live.onConnected(() => void this.watch())
  }

  /** The page of this room is shown. */
  enterRoom(roomId: RoomId): void {
    if (roomId === this.currentRoomId) return
    if (this.currentRoomId !== null) this.lastReadIds.set(this.currentRoomId, this.lastMessageId)
    this.currentRoomId = roomId
    this.lastMessageId = null
    this.lastReadIds.delete(roomId)
    this.setUnread(roomId, false)
    this.save()
    void this.watch()
  }

  /** The session has ended: removes the stored visits. */
  clear(): void {
    this.lastReadIds.clear()
    this.environment.tabStorage.set(STORE_KEY, null)
  }

  private async watch(): Promise<void> {
    const roomIds = [...this.lastReadIds.keys()].slice(-MAX_WATCHED_ROOMS)
    if (roomIds.length === 0) return
    const answer = await this.live.request('watchRooms', { roomIds })
    if (isFailure(answer)) return
    for (const { roomId, messageId } of answer.rooms) {
      if (this.lastReadIds.get(roomId) === null) this.lastReadIds.set(roomId, messageId)
      else this.onRoomActivity(roomId, messageId)
    }
    this.save()
  }

  private onRoomActivity(roomId: RoomId, messageId: MessageId): void {
    const lastReadId = this.lastReadIds.get(roomId)
    // The new messages may have been removed.
    if (typeof lastReadId === 'number') this.setUnread(roomId, messageId > lastReadId)
  }

  private setUnread(roomId: RoomId, isUnread: boolean): void {
    const unreadIds = new Set(this.roomIds.peek())
    if (unreadIds.has(roomId) === isUnread) return
    if (isUnread) unreadIds.add(roomId)
    else unreadIds.delete(roomId)
    this.roomIds.value = unreadIds
  }

  private save(): void {
    this.environment.tabStorage.set(STORE_KEY, JSON.stringify([...this.lastReadIds]))
  }
}

/** Storage may hold anything: an invalid list counts as empty. */
function parseStored(stored: string | null): Map<RoomId, MessageId | null> {
  try {
    const entries: unknown = JSON.parse(stored ?? '[]')
    return new Map(Array.isArray(entries) ? entries.filter(isStoredEntry) : [])
  } catch {
    return new Map()
  }
}

function isStoredEntry(entry: unknown): entry is [number, number | null] {
  if (!Array.isArray(entry) || entry.length !== 2) return false
  const [roomId, messageId] = entry
  return Number.isSafeInteger(roomId) && (messageId === null || Number.isSafeInteger(messageId))
}
