import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, type RefusalBody, refuseLocally } from '../../../shared/protocol/refusals.ts'
import { JOIN_WAIT_MS } from '../../../shared/room-chat/limits.ts'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import type { OutboxEntry } from '../../core/live/outbox.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { signal } from '../../core/signals/signal.ts'
import type { MentionSource } from '../conversation/composer/mention-source.ts'
import {
  type ComposerNoticeState,
  Conversation,
  type ConversationPlace,
  type ConversationPlatform,
  WRITABLE,
  type WritePermission,
} from '../conversation/conversation.ts'
import type { ConversationFiles } from '../conversation/media/conversation-files.ts'
import type { OutgoingMessage, UnsentMessage } from '../conversation/outgoing-message.ts'
import type { BubbleSender } from '../conversation/store/message-types.ts'
import { listenForBlocks } from '../relations/block-listener.ts'
import type { JoinResult } from '../rooms/room-subscription.ts'
import type { RoomFiles } from './room-files.ts'
import type { SendLimits } from './send-limits.ts'

/** Loads the part that sends files. */
export type LoadFiles = () => Promise<RoomFiles>

/** The conversation of one room. */
export class RoomConversation extends Conversation {
  readonly key: string
  readonly place: ConversationPlace
  readonly draftKey: string
  readonly showsUnreadInTitle = true
  readonly files = signal<ConversationFiles | null>(null)
  readonly roomId: RoomId
  /** As the page says; `features/room-access/write-permission.ts` keeps it current. */
  override readonly permission = signal<WritePermission>(WRITABLE)
  /** Why the viewer may not send files, in Turkish; kept current likewise. */
  readonly mediaRefusal = signal<string | null>(null)
  /** The last join of the tab; null before the first. */
  joined: JoinResult | null = null
  /** The prediction of the chat limits. Its code loads after the page; until then the server alone limits. */
  readonly limits = signal<SendLimits | null>(null)
  /** Whether the chat limits do not apply. */
  isExempt = false
  /** When the tab entered the room, by this machine's clock; null before. */
  enteredAt: number | null = null
  /** Why the last join was refused. */
  joinRefusal: string | null = null
  private ownerId: UserId | null = null
  private readonly loadRoomFiles: LoadFiles

  constructor(platform: ConversationPlatform, roomId: RoomId, loadRoomFiles: LoadFiles) {
    super(platform)
    this.loadRoomFiles = loadRoomFiles
    this.roomId = roomId
    this.key = `room:${roomId}`
    this.place = { kind: 'room', roomId }
    this.draftKey = `draft:${roomId}`
  }

  openPage({ room, messages, cursor, viewer, writePermission = WRITABLE }: RoomPageProps): void {
    this.permission.value = writePermission
    this.ownerId = room.ownerId
    if (!this.viewer.peek()) this.isExempt = this.hasExemptRole(viewer)
    this.open({ messages, cursor, viewer })
  }

  override close(): void {
    super.close()
    this.limits.peek()?.close()
  }

  /** Called when the tab has joined the room. */
  onJoined(joined: JoinResult): void {
    this.joined = joined
    this.snapshotCursor = joined.cursor
    this.isExempt = joined.exempt
    this.enteredAt = this.environment.now() - joined.inRoomForMs
    this.joinRefusal = null
    this.limits.peek()?.onJoined()
    this.outbox.flush()
  }

  onJoinRefused(message: string): void {
    this.joinRefusal = message
    this.limits.peek()?.onJoined()
  }

  /** Milliseconds until a refused message is sent again; null when it has failed. */
  retryDelayMs(refusal: RefusalBody): number | null {
    this.delayed.value = null // the server has answered
    this.limits.peek()?.onRefused(refusal)
    return refusal.code === 'JustJoined' ? (refusal.waitMs ?? JOIN_WAIT_MS) : null
  }

  isReady(): boolean {
    return this.viewer.peek() !== null && this.live.roomId === this.roomId
  }

  requestPage(range: { before?: number; after?: number }) {
    return this.live.request('getMessages', { roomId: this.roomId, ...range })
  }

  sendTyping(): void {
    this.live.sendSignal('typing', { roomId: this.roomId })
  }

  override async loadFiles(): Promise<void> {
    const part = await this.loadRoomFiles()
    this.files.value ??= part.create(this)
  }

  override async loadMentionSource(): Promise<MentionSource> {
    const mentions = await loadLazy(() => import('./room-mentions.lazy.ts'))
    return mentions.createRoomMentionSource(this.roomId)
  }

  protected subscribe(): (() => void)[] {
    const { live } = this
    const isHere = ({ roomId }: { roomId: RoomId }): boolean => roomId === this.roomId
    return [
      live.on('message', (message, seq) => {
        if (!isHere(message)) return
        this.receiveMessage(message, seq)
        this.limits.peek()?.recheckPause()
      }),
      live.on('loadRoomMessages', (page) => isHere(page) && this.replaceLatest(page.messages)),
      live.on('clearMessages', (cleared, seq) => isHere(cleared) && this.removeAll(seq)),
      live.on('removeBannedMessages', (banned, seq) => isHere(banned) && this.removeSender(banned.userId, seq)),
      listenForBlocks(live, {
        onBlocked: (userId) => this.removeSender(userId),
        onUnblocked: () => this.notify((listener) => listener.onUnhidden?.()),
      }),
      // Older messages may show an earlier name, also those of a replay.
      live.on('user-joined', (joined) => isHere(joined) && this.updateUsers([joined.user])),
      live.on('users-in-room', (page) => isHere(page) && this.updateUsers(page.users)),
      live.on('user-left', (left) => isHere(left) && this.notify((listener) => listener.onUserLeft?.(left.username))),
      live.on('typing', (typing) => isHere(typing) && this.notify((listener) => listener.onTyping?.(typing.users))),
    ]
  }

  protected getLimitNotice(): ComposerNoticeState | null {
    return this.limits.value?.notice.shown.value ?? null
  }

  protected checkLimits(): Refusal | null {
    return this.viewer.peek() ? (this.limits.peek()?.check() ?? null) : refuseLocally('NotInRoom')
  }

  protected enqueue(message: OutgoingMessage): Refusal | null {
    return this.outbox.enqueue('sendMessage', { roomId: this.roomId, ...message })
  }

  protected toUnsent(entry: OutboxEntry): UnsentMessage | null {
    return isRoomMessage(entry) && entry.input.roomId === this.roomId ? { ...entry.input, ...entry } : null
  }

  /** A change of the viewer's role may lift the limits, or impose them. */
  protected override onViewerUpdated(before: BubbleSender, viewer: BubbleSender): void {
    if (viewer.role === before.role) return
    this.isExempt = this.hasExemptRole(viewer)
    this.limits.peek()?.recheckPause()
  }

  private hasExemptRole(viewer: BubbleSender): boolean {
    return viewer.role === 'rootadmin' || viewer.id === this.ownerId
  }
}

function isRoomMessage(entry: OutboxEntry): entry is OutboxEntry<'sendMessage'> {
  return entry.name === 'sendMessage'
}
