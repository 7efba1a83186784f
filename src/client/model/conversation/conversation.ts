import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, type RefusalBody, refuseLocally } from '../../../shared/protocol/refusals.ts'
import type { Result } from '../../../shared/protocol/result.ts'
import { MAX_MESSAGE_LENGTH } from '../../../shared/room-chat/limits.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { normaliseMessage } from '../../../shared/room-chat/rules.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { Outbox, OutboxEntry } from '../../core/live/outbox.ts'
import type { Environment } from '../../core/platform/environment.ts'
import { batch, computed, type ReadonlySignal, signal } from '../../core/signals/signal.ts'
import type { MentionSource } from './composer/mention-source.ts'
import type { ConversationListener } from './conversation-listener.ts'
import type { ConversationFiles } from './media/conversation-files.ts'
import type { MediaHiding } from './media-hiding.ts'
import type { OutgoingMessage, UnsentFile, UnsentMessage } from './outgoing-message.ts'
import { bubbleOf, mergePending, type StoredMessage } from './store/merge-messages.ts'
import { type HistoryPage, MessageStore } from './store/message-store.ts'
import type { Bubble, BubbleSender, ConversationMessage } from './store/message-types.ts'
import { makeQuote } from './store/unsent-quotes.ts'
import type { ReadState } from './thread/read-state.ts'

/** The parts of the tab that a conversation uses. */
export interface ConversationPlatform {
  environment: Environment
  live: LiveClient
  outbox: Outbox
}

/** The state with which a conversation opens: that of a page or of a fetch. */
interface OpeningState {
  messages: readonly ConversationMessage[]
  /** The messages cover every event up to here. */
  cursor: number
  viewer: BubbleSender
}

/** Where messages are exchanged: in a room, or with one other user. */
export type ConversationPlace = { kind: 'room'; roomId: RoomId } | { kind: 'direct'; userId: UserId }

/** Whether the viewer may write, and the placeholder of the empty field. */
export interface WritePermission {
  canWrite: boolean
  placeholder: string
}

/** A sentence beside the composer. */
export interface ComposerNoticeState {
  kind: 'info' | 'warning'
  text: string
  /** When the pause is over, in epoch milliseconds of this machine, to count down to; null without a pause. */
  endsAt: number | null
}

export const WRITABLE: WritePermission = { canWrite: true, placeholder: 'Mesaj yaz' }

/**
 * Messages that people exchange, as the store, the thread and the composer see them. Each kind (a room, direct messages)
 * extends it with its commands, its events and its rules; several may be open in one tab.
 */
export abstract class Conversation {
  /** Unique in the tab: `room:7`. */
  abstract readonly key: string
  abstract readonly place: ConversationPlace
  /** The name of its draft in the tab's storage. */
  abstract readonly draftKey: string
  /** Whether the tab's title counts its unread messages. */
  abstract readonly showsUnreadInTitle: boolean
  readonly permission: ReadonlySignal<WritePermission> = signal(WRITABLE)

  readonly store = new MessageStore((stored) => this.dropConfirmed(stored))
  /** The message that the next one replies to. It may be older than what is loaded. */
  readonly replyingTo = signal<Bubble | null>(null)
  /** The messages that end with the latest one, unsent ones among them; shown or not. */
  readonly latest = computed(() => mergePending(this.store.latest.value, this.unsent.value))
  /** The files of its composer and of its unsent messages; null until they are loaded. */
  abstract readonly files: ReadonlySignal<ConversationFiles | null>
  /** The shown messages: the latest ones, or older ones apart from them. */
  readonly bubbles = computed(() =>
    this.store.scrollback.value.gapAfterId === null ? this.latest.value : mergePending(this.store.shown.value, []),
  )
  /** The notice of the kind's limits, else of a waiting message; null without one. */
  readonly composerNotice = computed(() => this.getLimitNotice() ?? this.delayNotice())
  /** The name by which a message mentions the viewer. */
  readonly viewerName = computed(() => this.viewer.value?.username ?? '')

  readonly environment: Environment
  protected readonly live: LiveClient
  protected readonly outbox: Outbox
  /** The viewer; null until the conversation is open. */
  protected readonly viewer = signal<BubbleSender | null>(null)
  /** The stored messages cover events up to here, though not each of them has reached this tab. */
  protected snapshotCursor = 0
  protected readonly unsent = computed(() => this.unsentBubbles())
  /** The last message that the server could not store for now, and the notice of it while it waits. */
  protected readonly delayed = signal<{ clientId: string; notice: ComposerNoticeState } | null>(null)
  private readonly listeners = new Set<Partial<ConversationListener>>()
  private subscriptions: readonly (() => void)[] = []

  constructor({ environment, live, outbox }: ConversationPlatform) {
    this.environment = environment
    this.live = live
    this.outbox = outbox
  }

  /** Whether the server takes its requests now. */
  abstract isReady(): boolean
  /** A page of messages: those before or after an id, or the latest. */
  abstract requestPage(range: { before?: number; after?: number }): Promise<Result<HistoryPage>>
  /** Signals to the other users that the viewer types. */
  abstract sendTyping(): void
  /** Hides the files of the other users; absent in conversations where all are shown. */
  declare readonly mediaHiding?: MediaHiding
  /** The state with which its thread opens; absent where what has come before the opening is read. */
  getReadState?(): ReadState
  /** Scrolls its newly shown thread to where reading begins; absent where that is the end. */
  scrollToUnread?(scroller: HTMLElement | null): void
  /** Loads the users who can be mentioned; absent in conversations without mentions. */
  loadMentionSource?(): Promise<MentionSource>
  /** Loads `files`; absent in conversations without files, and where they are there from the start. */
  loadFiles?(): Promise<void>

  /** Subscribes to the events of its kind; returns the function that unsubscribes. */
  protected abstract subscribe(): (() => void)[]
  /** The notice of its limits; reads signals. */
  protected abstract getLimitNotice(): ComposerNoticeState | null
  /** The refusal of a message now; null where one may be sent. */
  protected abstract checkLimits(): Refusal | null
  protected abstract enqueue(message: OutgoingMessage): Refusal | null
  /** The message of an outbox entry; null for one of another conversation. */
  protected abstract toUnsent(entry: OutboxEntry): UnsentMessage | null

  /** Opens with a page's state. The same page again keeps messages that have arrived since its rendering. */
  open({ messages, cursor, viewer }: OpeningState): void {
    this.replyingTo.value = null
    if (this.viewer.peek()) {
      this.store.reopen(messages)
      return
    }
    this.viewer.value = viewer
    this.snapshotCursor = cursor
    this.outbox.restoreFor(viewer.id)
    this.store.open(messages, viewer.id)
    this.subscriptions = [
      ...this.subscribe(),
      this.live.on('userProfileUpdated', ({ user }) => this.onProfileUpdated(user)),
    ]
  }

  /** Ends every subscription: the conversation is no longer shown. */
  close(): void {
    for (const end of this.subscriptions) end()
    this.subscriptions = []
    this.viewer.value = null
    this.files.peek()?.drafts.clear()
    this.notify((listener) => listener.onClosed?.())
  }

  /** Adds a part that loads later; returns the function that removes it. */
  addListener(listener: Partial<ConversationListener>): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Sends a text with the files of the composer. After a refusal the text stays in the composer. */
  send(text: string, replyToId = this.replyingTo.peek()?.id): Refusal | null {
    const files = this.files.peek()
    return files?.drafts.list.peek().length ? files.send(text, replyToId) : this.sendMessage(text, replyToId)
  }

  /**
   * Shows a message at once, and sends it when it can be sent; null is also the answer to a text without anything visible.
   * @param file a stored file that goes with it, by the clientId of the message
   */
  sendMessage(text: string, replyToId: MessageId | null | undefined, file?: UnsentFile): Refusal | null {
    const content = normaliseMessage(text.toWellFormed())
    if (!content && !file) return null
    if (content.length > MAX_MESSAGE_LENGTH) return refuseLocally('TooLarge')
    const replyTo = replyToId ? { replyTo: { id: replyToId } } : {}
    const refusal =
      this.checkLimits() ?? this.enqueue({ clientId: this.environment.uuid(), content, ...replyTo, ...file })
    if (refusal) return refusal
    this.replyingTo.value = null
    this.store.leaveScrollback()
    return null
  }

  /** Sends a failed message again, under the same clientId, so that it cannot be stored twice. */
  retry(key: string): void {
    if (!this.checkLimits()) this.outbox.retry(key)
  }

  /** Discards a failed message. */
  discard(key: string): void {
    this.outbox.remove(key)
  }

  /** An answer confirms a message before its event arrives. */
  onAnswered(clientId: string, id: MessageId, createdAt: number): void {
    const pending = this.unsent.peek().find(({ key }) => key === clientId)
    if (pending) this.store.add({ ...pending, id, createdAt, status: 'sent' }, 0)
  }

  /** The server could not process a message: it stays in the outbox, which sends it again. */
  onDelayed(clientId: string, { code, message }: RefusalBody): void {
    const isExplained = code === 'RegionCut' || code === 'StorageFull'
    if (!isExplained || this.delayed.peek()?.clientId === clientId) return
    this.delayed.value = { clientId, notice: { kind: 'warning', text: message, endsAt: null } }
  }

  protected receiveMessage(message: ConversationMessage, seq: number | null): void {
    const viewer = this.viewer.peek()
    if (!viewer || !this.isBeyondSnapshot(seq)) return
    this.store.add(bubbleOf(message, viewer.id), seq ?? 0)
    this.notify((listener) => listener.onMessage?.(message))
  }

  /** The latest messages in place of all that is not newer. */
  protected replaceLatest(messages: readonly ConversationMessage[]): void {
    this.store.replaceWithLatest(messages)
    this.notify((listener) => listener.onReloaded?.(messages))
  }

  /** Everything was removed. */
  protected removeAll(seq: number | null): void {
    if (this.isBeyondSnapshot(seq)) this.store.clear()
    this.notify((listener) => listener.onRemoved?.(null))
  }

  /** All messages of a sender were removed; without `seq` for this viewer alone. */
  protected removeSender(senderId: UserId, seq: number | null = Number.POSITIVE_INFINITY): void {
    if (this.isBeyondSnapshot(seq)) this.store.removeBySender(senderId)
    this.notify((listener) => listener.onRemoved?.(senderId))
  }

  protected updateUsers(users: readonly BubbleSender[]): void {
    this.store.updateUsers(users)
    this.notify((listener) => listener.onUsersUpdated?.(users))
  }

  /** Called when the viewer's name, avatar or role changes. */
  protected onViewerUpdated(_before: BubbleSender, _viewer: UserSummary): void {}

  protected notify(call: (listener: Partial<ConversationListener>) => void): void {
    batch(() => this.listeners.forEach(call))
  }

  /** Whether an event is newer than the page or snapshot that was stored last. */
  private isBeyondSnapshot(seq: number | null): boolean {
    return (seq ?? 0) > this.snapshotCursor
  }

  private onProfileUpdated(user: UserSummary): void {
    const viewer = this.viewer.peek()
    if (viewer?.id === user.id) {
      this.viewer.value = user
      this.onViewerUpdated(viewer, user)
    }
    this.updateUsers([user])
  }

  /** Removes a confirmed message from the unsent ones. */
  private dropConfirmed(stored: readonly StoredMessage[]): void {
    const keys = new Set(stored.map(({ bubble }) => bubble.key))
    for (const { clientId } of this.outbox.entries.peek()) if (keys.has(clientId)) this.outbox.remove(clientId)
  }

  private delayNotice(): ComposerNoticeState | null {
    const delayed = this.delayed.value
    const isWaiting = this.bubbles.value.some(({ key, status }) => key === delayed?.clientId && status === 'pending')
    return isWaiting ? (delayed?.notice ?? null) : null
  }

  private unsentBubbles(): Bubble[] {
    const sender = this.viewer.value
    if (!sender) return []
    return this.outbox.entries.value.flatMap((entry) => {
      const message = this.toUnsent(entry)
      if (!message) return []
      const { clientId: key, content, createdAt, failure, replyTo } = message
      const status = failure === null ? ('pending' as const) : ('failed' as const)
      const reply = this.replyFields(replyTo)
      const media = this.files.value?.mediaOf(key, status)
      return {
        key,
        id: null,
        content,
        createdAt,
        sender,
        isOwn: true,
        status,
        ...(failure !== null && { failure }),
        ...(media && { media }),
        ...reply,
      }
    })
  }

  private replyFields(replyTo: { id: MessageId } | undefined): { replyTo?: Quote } {
    const quote = replyTo && makeQuote.value?.(this.store.stored.value, replyTo.id)
    return quote ? { replyTo: quote } : {}
  }
}
