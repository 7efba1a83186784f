import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { OutboxCommandName, OutboxEntry } from '../../../core/live/outbox.ts'
import { type ReadonlySignal, signal } from '../../../core/signals/signal.ts'
import type { MentionSource } from '../composer/mention-source.ts'
import {
  type ComposerNoticeState,
  Conversation,
  type ConversationPlace,
  type ConversationPlatform,
  WRITABLE,
  type WritePermission,
} from '../conversation.ts'
import type { ConversationListener } from '../conversation-listener.ts'
import type { OutgoingMessage, UnsentMessage } from '../outgoing-message.ts'
import type { HistoryPage } from '../store/message-store.ts'
import type { ConversationMessage } from '../store/message-types.ts'

/** A command that no server has: the outbox keeps its entries, and never sends them. */
const COMMAND = 'sendFakeMessage' as OutboxCommandName

/** A kind of conversation other than a room: all messages to one user. */
export class FakeConversation extends Conversation {
  readonly key: string
  readonly place: ConversationPlace
  readonly draftKey: string
  readonly showsUnreadInTitle = false
  readonly files = signal(null)
  override readonly permission: ReadonlySignal<WritePermission> = signal(WRITABLE)
  /** The server's messages. */
  messages: ConversationMessage[] = []
  typingCount = 0
  refusal: Refusal | null = null
  readonly notice = signal<ComposerNoticeState | null>(null)
  private readonly peerId: number

  constructor(platform: ConversationPlatform, peerId: number) {
    super(platform)
    this.peerId = peerId
    this.key = `fake:${peerId}`
    this.place = { kind: 'direct', userId: peerId }
    this.draftKey = `draft:fake:${peerId}`
  }

  isReady(): boolean {
    return true
  }

  async requestPage({ before = Number.POSITIVE_INFINITY, after }: { before?: number; after?: number }) {
    const matches = this.messages.filter(({ id }) => (after === undefined ? id < before : id > after))
    const messages = after === undefined ? matches.slice(-40) : matches.slice(0, 40)
    return { messages, more: messages.length < matches.length } satisfies HistoryPage
  }

  sendTyping(): void {
    this.typingCount++
  }

  override async loadMentionSource(): Promise<MentionSource> {
    const known = signal({ users: [], isComplete: true })
    return { known, search: async () => [], onChange: () => () => {} }
  }

  /** An event of this conversation arrives. */
  receive(message: ConversationMessage, seq: number): void {
    this.receiveMessage(message, seq)
  }

  announce(call: (listener: Partial<ConversationListener>) => void): void {
    this.notify(call)
  }

  protected subscribe(): (() => void)[] {
    return []
  }

  protected getLimitNotice(): ComposerNoticeState | null {
    return this.notice.value
  }

  protected checkLimits(): Refusal | null {
    return this.refusal
  }

  protected enqueue(message: OutgoingMessage): Refusal | null {
    // The outbox stores any input beside the clientId; this peer's id takes the place of a room's.
    return this.outbox.enqueue(COMMAND, { ...message, roomId: this.peerId } as never)
  }

  protected toUnsent(entry: OutboxEntry): UnsentMessage | null {
    const input = entry.input as UnsentMessage & { roomId: number } // as `enqueue` stored it
    return entry.name === COMMAND && input.roomId === this.peerId ? { ...input, ...entry } : null
  }
}

export const WRITING_PAUSED = new Refusal({ code: 'RateLimited', message: 'Biraz bekle.', waitMs: 1_000 })
