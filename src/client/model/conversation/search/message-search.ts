import type { UserSummary } from '../../../../shared/accounts/protocol.ts'
import type { MessageId, UserId } from '../../../../shared/protocol/ids.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { redactQuote } from '../../../../shared/room-chat/redacted-quotes.ts'
import { parseSearchQuery, type SearchQuery } from '../../../../shared/text/search-words.ts'
import type { LiveClient } from '../../../core/live/live-client.ts'
import type { Cancel, Environment } from '../../../core/platform/environment.ts'
import { signal } from '../../../core/signals/signal.ts'
import type { ConversationMessage } from '../store/message-types.ts'

/** Delay after the last key before a search (specification 2, point 9). */
const DEBOUNCE_MS = 250
/** After this many pages without results, each over a part of the conversation, the reader is asked before the next. */
const MAX_EMPTY_PAGES = 10

const SEARCH_FAILED = 'Mesajlar aranamadı. Bağlantını kontrol edip tekrar dene.'

/** The state of the search. */
export type SearchState =
  | { is: 'empty' | 'tooShort' | 'searching' }
  | { is: 'failed'; message: string }
  | { is: 'found'; query: SearchQuery; messages: readonly ConversationMessage[]; next: NextPageState }

/** The state of the next page; null at the end. */
type NextPageState =
  | { before: number; is: 'waiting' | 'loading' }
  | { before: number; is: 'failed'; message: string }
  | null

/** The messages that are searched: those of one conversation. */
export interface SearchSource {
  requestPage(input: {
    text: string
    before?: number
  }): Promise<Result<{ messages: readonly ConversationMessage[]; before?: number | undefined }>>
  /** Applies the conversation's events to the results; returns the functions that end it. */
  subscribe(results: FoundMessages): (() => unknown)[]
}

/** What a source changes of the results. */
type FoundMessages = Pick<MessageSearch, 'clear' | 'removeMessage' | 'removeSender' | 'refresh'>

/** Searches the messages of a source as the user types; the latest query wins. */
export class MessageSearch {
  readonly state = signal<SearchState>({ is: 'empty' })

  private readonly environment: Environment
  private readonly live: Pick<LiveClient, 'on'>
  private readonly source: SearchSource
  private text = ''
  /** Rises with every search, so that the answer to an older one is ignored. */
  private generation = 0
  private cancelTimer: Cancel | null = null

  constructor(environment: Environment, live: Pick<LiveClient, 'on'>, source: SearchSource) {
    this.environment = environment
    this.live = live
    this.source = source
  }

  /** Applies events to the results. Returns the function that stops it and drops pending answers. */
  subscribe(): () => void {
    const ends = [
      ...this.source.subscribe(this),
      this.live.on('userProfileUpdated', ({ user }) => this.mapResults((message) => withSender(message, user))),
    ]
    return () => {
      this.generation++
      this.cancelTimer?.()
      for (const end of ends) end()
    }
  }

  setText(text: string): void {
    this.text = text
    this.generation++
    this.cancelTimer?.()
    if (text.trim() === '') this.state.value = { is: 'empty' }
    else if (!parseSearchQuery(text)) this.state.value = { is: 'tooShort' }
    else this.cancelTimer = this.environment.setTimer(DEBOUNCE_MS, () => void this.run())
  }

  /** Searches without delay: after Enter, or as a retry. */
  async run(): Promise<void> {
    this.cancelTimer?.()
    const query = parseSearchQuery(this.text)
    if (!query) return
    const turn = ++this.generation
    this.state.value = { is: 'searching' }
    const found = await this.requestPage(undefined, turn)
    if (turn !== this.generation || found === null) return
    this.state.value = typeof found === 'string' ? { is: 'failed', message: found } : { is: 'found', query, ...found }
  }

  /** Loads the next page. */
  async loadMore(): Promise<void> {
    const shown = this.state.peek()
    if (shown.is !== 'found' || shown.next === null || shown.next.is === 'loading') return
    const { before } = shown.next
    const { generation } = this
    this.state.value = { ...shown, next: { before, is: 'loading' } }
    const found = await this.requestPage(before, generation)
    const now = this.state.peek()
    if (generation !== this.generation || found === null || now.is !== 'found') return
    this.state.value =
      typeof found === 'string'
        ? { ...now, next: { before, is: 'failed', message: found } }
        : { ...now, messages: [...now.messages, ...found.messages], next: found.next }
  }

  /** All messages were removed. */
  clear(): void {
    this.filterResults(() => false)
  }

  removeMessage(id: MessageId): void {
    this.filterResults((message) => message.id !== id)
    this.mapResults((message) => (message.replyTo?.id === id ? redactQuote(message) : message))
  }

  removeSender(userId: UserId): void {
    this.filterResults(({ senderId }) => senderId !== userId)
  }

  /** Searches again: results or a pending answer may be outdated. */
  refresh(): void {
    const { is } = this.state.peek()
    if (is === 'found' || is === 'searching') void this.run()
  }

  /** Removes the other results. */
  private filterResults(isRemaining: (message: ConversationMessage) => boolean): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.filter(isRemaining) }
  }

  private mapResults(as: (message: ConversationMessage) => ConversationMessage): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.map(as) }
  }

  /** The next page with results, however far back; the Turkish reason of a failure; null when a newer search began. */
  private async requestPage(from: number | undefined, turn: number) {
    let before = from
    for (let blank = 0; blank < MAX_EMPTY_PAGES; blank++) {
      const input = { text: this.text, ...(before !== undefined && { before }) }
      const answer = await this.source.requestPage(input)
      if (turn !== this.generation) return null
      if (typeof answer === 'string') return SEARCH_FAILED
      if (answer instanceof Refusal) return answer.body.message
      const { messages } = answer
      before = answer.before
      if (messages.length > 0 || before === undefined) return { messages, next: nextPageFrom(before) }
    }
    return { messages: [], next: nextPageFrom(before) }
  }
}

function withSender(
  message: ConversationMessage,
  { id, username, gender, avatarUrl, isGuest, role }: UserSummary,
): ConversationMessage {
  if (message.senderId !== id) return message
  const senderFace = { senderGender: gender, senderAvatarUrl: avatarUrl, senderIsGuest: isGuest, senderRole: role }
  return { ...message, senderUsername: username, ...senderFace }
}

function nextPageFrom(before: number | undefined): NextPageState {
  return before === undefined ? null : { before, is: 'waiting' }
}
