import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { DirectMessage, RecipientInfo } from '../../../shared/direct-messages/message.ts'
import { channelOfMedia } from '../../../shared/direct-messages/rules.ts'
import type { MediaType } from '../../../shared/media/media.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { ContactChannel } from '../../../shared/relations/contact-rules.ts'
import type { OutboxEntry } from '../../core/live/outbox.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { batch, computed, type ReadonlySignal, signal } from '../../core/signals/signal.ts'
import type { MentionSource } from '../../model/conversation/composer/mention-source.ts'
import {
  type ComposerNoticeState,
  Conversation,
  type ConversationPlace,
  type ConversationPlatform,
  WRITABLE,
  type WritePermission,
} from '../../model/conversation/conversation.ts'
import { ConversationFiles } from '../../model/conversation/media/conversation-files.ts'
import type { OutgoingFiles } from '../../model/conversation/media/outgoing-files.ts'
import type { OutgoingMessage, UnsentMessage } from '../../model/conversation/outgoing-message.ts'
import { historyLoaderOf } from '../../model/conversation/store/history-loader.ts'
import { bubbleOf, mergePending, type StoredMessage } from '../../model/conversation/store/merge-messages.ts'
import type { Bubble, BubbleSender } from '../../model/conversation/store/message-types.ts'
import { messageIdOf } from '../../model/conversation/store/scrollback.ts'
import type { ReadState } from '../../model/conversation/thread/read-state.ts'
import { contactRefusalOf } from '../../model/relations/contact-permission.ts'
import { removeFrom } from '../../model/room-chat/message-removal.ts'
import { ownSanctions } from '../../model/sanctions/own-sanctions.ts'
import { isDirectMessage, StrangerMedia } from './direct-media.ts'
import { ReadReceipts } from './read-receipts.ts'

/** A message with its tick: the same object for the same bubble, so React does not redraw it. */
const readBubbles = new WeakMap<Bubble, Bubble>()

type Started = EventPayload<'dmSessionStarted'>

/** `failed`: the opening was refused, with the reason in Turkish. */
type OpeningStatus = { state: 'loading' | 'open' } | { state: 'failed'; reason: string }

/** After a refusal without a wait. */
const RELOAD_RETRY_MS = 2_000

/** The conversation of the viewer with one other user. */
export class DirectConversation extends Conversation {
  readonly key: string
  readonly place: ConversationPlace
  readonly draftKey: string
  readonly showsUnreadInTitle = false
  readonly files: ReadonlySignal<ConversationFiles>
  readonly userId: UserId
  readonly status = signal<OpeningStatus>({ state: 'loading' })
  private readonly reads: ReadReceipts
  /** The other user; null until the conversation is open. */
  readonly recipient = signal<RecipientInfo | null>(null)
  override readonly mediaHiding: StrangerMedia
  override readonly permission = computed(() => toPermission(this.muteLabel() ?? this.refusalTextOf('message')))
  override readonly latest = computed(() =>
    mergePending(this.store.latest.value, this.unsent.value).map((bubble) =>
      withTick(bubble, this.reads.byOtherUpTo.value),
    ),
  )
  override readonly bubbles = computed(() =>
    this.store.scrollback.value.gapAfterId === null
      ? this.latest.value
      : mergePending(this.store.shown.value, []).map((bubble) => withTick(bubble, this.reads.byOtherUpTo.value)),
  )
  private isMarking = false
  private isAttended = false
  private isStarting = false
  /** The answer under way may be older than what is asked for. */
  private startsAgain = false
  /** The next snapshot replaces the messages: events are missing. */
  private needsReload = false
  private username: string

  constructor(platform: ConversationPlatform, files: OutgoingFiles, userId: UserId, username: string) {
    super(platform)
    this.userId = userId
    const { outbox } = platform
    const check = (mediaType: MediaType): Refusal | null => this.checkFile(mediaType)
    this.files = signal(new ConversationFiles({ conversation: this, files, outbox, check }))
    this.reads = new ReadReceipts(userId)
    this.username = username
    this.key = `dm:${userId}`
    this.place = { kind: 'direct', userId }
    this.draftKey = `draft:dm:${userId}`
    this.mediaHiding = new StrangerMedia(platform.live, userId)
  }

  isReady(): boolean {
    return this.viewer.peek() !== null && this.live.isConnected()
  }

  /** Whether it could not be opened, by another name of the other user than this one. */
  isFailedUnder(username: string): boolean {
    return this.status.peek().state === 'failed' && this.username !== username
  }

  /** Requests the latest messages and the other user's details; `dmSessionStarted` brings them. */
  async start(username = this.username): Promise<void> {
    this.username = username
    this.startsAgain = this.isStarting
    if (this.isStarting) return
    this.isStarting = true
    if (this.status.peek().state === 'failed') this.status.value = { state: 'loading' }
    const answer = await this.live.request('dmSessionStart', this.address())
    this.isStarting = false
    // Without an answer the next connection starts it.
    if (answer === 'disconnected') return
    if (this.startsAgain) return this.start()
    if (answer instanceof Refusal) this.onStartRefused(answer.body)
  }

  /** Called on each connection; without a resume events may be missing, and with one changes of privacy. */
  onConnected(resumed: boolean): void {
    this.isStarting = false
    if (!resumed && this.status.peek().state === 'open') {
      this.needsReload = true
      this.store.resetSeqs()
    }
    void this.start()
    void this.markRead()
  }

  /** A snapshot: it opens the conversation, or updates it. */
  onStarted({ messages, recipientInfo, showsMedia, cursor, ...read }: Started, viewer: BubbleSender): void {
    batch(() => {
      this.username = recipientInfo.username
      this.recipient.value = recipientInfo
      if (showsMedia) this.mediaHiding.end()
      const isNew = this.viewer.peek() === null
      if (isNew) this.open({ messages, cursor, viewer })
      else if (this.needsReload) {
        this.snapshotCursor = cursor
        this.replaceLatest(messages)
      }
      if (isNew || this.needsReload) this.reads.open(read)
      this.needsReload = false
      this.reads.noteMessages(messages)
      if (!isNew || !this.hasOlderUnread()) this.status.value = { state: 'open' }
    })
    if (this.status.peek().state !== 'open') void this.showUnread()
    void this.markRead()
  }

  override close(): void {
    if (this.isReady()) void this.live.request('dmSessionEnd', this.address())
    super.close()
    this.status.value = { state: 'loading' }
  }

  private checkFile(mediaType: MediaType): Refusal | null {
    const reason = this.muteLabel() ?? this.refusalTextOf('message') ?? this.refusalTextOf(channelOfMedia[mediaType])
    return reason === null ? null : new Refusal({ code: 'ContactRefused', message: reason })
  }

  /** The answer to a message of the viewer. */
  onSent(message: DirectMessage): void {
    const viewer = this.viewer.peek()
    if (viewer) this.store.add(bubbleOf(message, viewer.id), 0)
  }

  async requestPage(range: { before?: number; after?: number }) {
    const page = await this.live.request('getDirectMessages', { userId: this.userId, ...range })
    if (!isFailure(page)) this.reads.noteMessages(page.messages)
    return page
  }

  override getReadState(): ReadState {
    return this.reads.toReadState(messageIdOf(this.store.latest.peek().at(-1)?.bubble))
  }

  /** Where the thread begins with unread messages, no divider precedes them. */
  override scrollToUnread(scroller: HTMLElement | null): void {
    const isOlder = this.reads.unread.count > 0 && this.store.scrollback.peek().isOpen
    const first = scroller?.querySelector('.unread-divider') ?? (isOlder ? scroller?.querySelector('.day') : null)
    first?.scrollIntoView()
  }

  override async loadMentionSource(): Promise<MentionSource> {
    const { createDirectMentionSource } = await loadLazy(() => import('./direct-mentions.ts'))
    return createDirectMentionSource(this.live, this.recipient)
  }

  sendTyping(): void {
    this.live.sendSignal('directTyping', { userId: this.userId })
  }

  /** Whether the viewer sees the end of the conversation, and so has read its messages. */
  setAttended(isAttended: boolean): void {
    this.isAttended = isAttended
    void this.markRead()
  }

  /** The other user came to the site, or left it. */
  setOnline(isOnline: boolean): void {
    this.updateRecipient((recipient) => (recipient.isOnline === isOnline ? recipient : { ...recipient, isOnline }))
  }

  protected subscribe(): (() => void)[] {
    const { live, userId } = this
    return [
      live.on('directMessage', (message, seq) => {
        if (message.senderId !== userId && message.recipientId !== userId) return
        if (message.senderId === userId) {
          this.setOnline(true)
          this.reads.onReceived(message.id)
        } else this.mediaHiding.end()
        this.receiveMessage(message, seq)
        void this.markRead()
      }),
      live.on('directMediaAllowed', (allowed) => allowed.userId === userId && this.mediaHiding.end()),
      live.on('messagesRead', (read) => this.reads.onMessagesRead(read)),
      live.on('directTyping', (typist) => {
        if (typist.userId === userId) this.notify((listener) => listener.onTyping?.([{ ...typist, id: userId }]))
      }),
      live.on('directMessageRemoved', ({ id, senderId, recipientId }) => {
        if (senderId === userId || recipientId === userId) removeFrom(this, id)
      }),
      live.on('dmCleared', (cleared, seq) => cleared.userId === userId && this.removeAll(seq)),
      live.on('userBlocked', (block) => this.updateRecipient((recipient) => withBlock(recipient, block, true))),
      live.on('userUnblocked', (block) => this.updateRecipient((recipient) => withBlock(recipient, block, false))),
      live.on('userProfileUpdated', ({ user: { id, premiumStatus } }) => {
        if (id === userId) this.updateRecipient((recipient) => ({ ...recipient, premiumStatus }))
      }),
      live.on('userStatusChanged', (changed) => changed.username === this.username && this.setOnline(changed.isOnline)),
    ]
  }

  protected getLimitNotice(): ComposerNoticeState | null {
    return this.isToRootAdmin() ? null : ownSanctions.muteNotice(null)
  }

  protected checkLimits(): Refusal | null {
    const { canWrite, placeholder } = this.permission.peek()
    return canWrite ? null : new Refusal({ code: 'ContactRefused', message: placeholder })
  }

  protected enqueue(message: OutgoingMessage): Refusal | null {
    return this.outbox.enqueue('sendDirectMessage', { ...this.address(), ...message })
  }

  protected toUnsent(entry: OutboxEntry): UnsentMessage | null {
    if (!isDirectMessage(entry) || entry.input.recipientId !== this.userId) return null
    const { clientId, createdAt, failure, input } = entry
    return { clientId, createdAt, failure, content: input.content ?? '', replyTo: input.replyTo ?? undefined }
  }

  protected override updateUsers(users: readonly BubbleSender[]): void {
    super.updateUsers(users)
    const update = users.find(({ id }) => id === this.userId)
    if (!update) return
    const { username, avatarUrl, gender, role, isGuest } = update
    this.username = username
    this.updateRecipient((recipient) => ({ ...recipient, username, avatarUrl, gender, role, isGuest }))
  }

  /** Another role may write to more users, and be refused by others. */
  protected override onViewerUpdated(before: BubbleSender, viewer: UserSummary): void {
    if (before.role !== viewer.role) void this.start()
  }

  private address(): { recipientUsername: string; recipientId: UserId } {
    return { recipientUsername: this.username, recipientId: this.userId }
  }

  private updateRecipient(update: (recipient: RecipientInfo) => RecipientInfo): void {
    const recipient = this.recipient.peek()
    if (recipient) this.recipient.value = update(recipient)
  }

  /** A muted viewer writes to root admins only. */
  private muteLabel(): string | null {
    return this.isToRootAdmin() ? null : ownSanctions.muteLabel(null)
  }

  private isToRootAdmin(): boolean {
    return this.recipient.value?.role === 'rootadmin'
  }

  private refusalTextOf(channel: ContactChannel): string | null {
    return contactRefusalOf(channel, this.viewer.value, this.recipient.value)
  }

  /** Whether unread messages are older than those that are loaded. */
  private hasOlderUnread(): boolean {
    if (this.store.scrollback.peek().isAtStart) return false
    const { readUpToId, count } = this.reads.unread
    const isUnread = ({ bubble }: StoredMessage) => !bubble.isOwn && messageIdOf(bubble) > readUpToId
    return this.store.stored.peek().filter(isUnread).length < count
  }

  /** Shows the conversation from the first unread message on; at its end, if that cannot be loaded. */
  private async showUnread(): Promise<void> {
    await historyLoaderOf(this).loadAfter(this.reads.unread.readUpToId)
    if (this.viewer.peek()) this.status.value = { state: 'open' }
  }

  /** A window that was open stays so, unless the other user cannot be found. */
  private onStartRefused({ code, message, waitMs }: RefusalBody): void {
    if (this.status.peek().state !== 'open' || code === 'NotFound')
      this.status.value = { state: 'failed', reason: message }
    else if (this.needsReload || waitMs !== undefined)
      this.environment.setTimer(waitMs ?? RELOAD_RETRY_MS, () => this.viewer.peek() && void this.start())
  }

  /** Marks the received messages as read while the viewer sees them. */
  private async markRead(): Promise<void> {
    const upToId = this.latest.peek().findLast(({ isOwn, id }) => !isOwn && id !== null)?.id ?? 0
    const isUnread = upToId > this.reads.unread.readUpToId
    if (!this.isAttended || !isUnread || this.isMarking || !this.isReady()) return
    this.isMarking = true
    const other = { otherUsername: this.username, otherUserId: this.userId }
    const answer = await this.live.request('markMessagesAsRead', { ...other, upToId })
    this.isMarking = false
    if (typeof answer === 'string') return
    if (answer instanceof Refusal) {
      const { waitMs } = answer.body
      if (waitMs !== undefined) this.environment.setTimer(waitMs, () => void this.markRead())
      return
    }
    this.reads.noteRead(upToId)
    void this.markRead()
  }
}

/** The field says why the viewer may not write. */
function toPermission(refusalText: string | null): WritePermission {
  return refusalText === null ? WRITABLE : { canWrite: false, placeholder: refusalText }
}

/** The other user after a block in either direction was set or removed; the same object after one between others. */
function withBlock(
  recipient: RecipientInfo,
  { blockerId, blockedId }: { blockerId: UserId; blockedId: UserId },
  isOn: boolean,
): RecipientInfo {
  if (blockedId === recipient.id) return { ...recipient, hasBlockedProfile: isOn }
  return blockerId === recipient.id ? { ...recipient, isBlockedByProfile: isOn } : recipient
}

/** @param readUpTo the other user has read the viewer's messages up to here */
function withTick(bubble: Bubble, readUpTo: MessageId): Bubble {
  if (bubble.status !== 'sent' || !bubble.isOwn || (bubble.id ?? 0) > readUpTo) return bubble
  const read = readBubbles.get(bubble) ?? { ...bubble, status: 'read' }
  readBubbles.set(bubble, read)
  return read
}
