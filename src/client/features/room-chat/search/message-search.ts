import type { UserSummary } from '../../../../shared/accounts/protocol.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { Message } from '../../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../../shared/room-chat/redacted-quotes.ts'
import { parseSearchQuery, type SearchQuery } from '../../../../shared/text/search-words.ts'
import type { LiveClient } from '../../../core/live/live-client.ts'
import type { Cancel, Environment } from '../../../core/platform/environment.ts'
import { signal } from '../../../core/signals/signal.ts'
import { listenForBlocks } from '../../../model/relations/block-listener.ts'

/** Delay after the last key before a search (specification 2, point 9). */
const DEBOUNCE_MS = 250
/** After this many pages without results, each over a part of the room, the reader is asked before the next. */
const MAX_EMPTY_PAGES = 10

const SEARCH_FAILED = 'Mesajlar aranamadı. Bağlantını kontrol edip tekrar dene.'

/** The state of the search. */
export type SearchState =
  | { is: 'empty' | 'tooShort' | 'searching' }
  | { is: 'failed'; message: string }
  | { is: 'found'; query: SearchQuery; messages: readonly Message[]; next: NextPageState }

/** The state of the next page; null at the end. */
type NextPageState =
  | { before: number; is: 'waiting' | 'loading' }
  | { before: number; is: 'failed'; message: string }
  | null

/** Searches the room's messages as the user types; the latest query wins. */
export class MessageSearch {
  readonly state = signal<SearchState>({ is: 'empty' })

  private readonly environment: Environment
  private readonly live: LiveClient
  private text = ''
  /** Rises with every search, so that the answer to an older one is ignored. */
  private generation = 0
  private cancelTimer: Cancel | null = null

  constructor(environment: Environment, live: LiveClient) {
    this.environment = environment
    this.live = live
  }

  /** Applies the room's events to the results. Returns the function that stops it and drops pending answers. */
  subscribe(): () => void {
    const { live } = this
    const ends = [
      live.on('clearMessages', ({ roomId }) => this.filterResults((message) => message.roomId !== roomId)),
      live.on('removeBannedMessages', ({ userId }) => this.filterResults(({ senderId }) => senderId !== userId)),
      live.on('messageRemoved', (removed) => {
        this.filterResults(({ id }) => id !== removed.id)
        this.mapResults((message) => (message.replyTo?.id === removed.id ? redactQuote(message) : message))
      }),
      // Hidden messages disappear at once; a new search covers quotes of them and pending answers.
      listenForBlocks(live, {
        onBlocked: (userId) => {
          this.filterResults(({ senderId }) => senderId !== userId)
          this.refresh()
        },
        onUnblocked: () => this.refresh(),
      }),
      // A removal may be among the missed events.
      live.on('loadRoomMessages', () => this.refresh()),
      live.on('userProfileUpdated', ({ user }) => this.mapResults((message) => withSender(message, user))),
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

  /** Searches again: results or a pending answer may be outdated. */
  private refresh(): void {
    const { is } = this.state.peek()
    if (is === 'found' || is === 'searching') void this.run()
  }

  /** Removes the other results. */
  private filterResults(isRemaining: (message: Message) => boolean): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.filter(isRemaining) }
  }

  private mapResults(as: (message: Message) => Message): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.map(as) }
  }

  /** The next page with results, however far back; the Turkish reason of a failure; null when a newer search began. */
  private async requestPage(from: number | undefined, turn: number) {
    let before = from
    for (let blank = 0; blank < MAX_EMPTY_PAGES; blank++) {
      const { roomId } = this.live
      if (roomId === null) return SEARCH_FAILED
      const input = { roomId, text: this.text, ...(before !== undefined && { before }) }
      const answer = await this.live.request('searchMessages', input)
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

function withSender(message: Message, { id, username, gender, avatarUrl, isGuest, role }: UserSummary): Message {
  if (message.senderId !== id) return message
  const senderFace = { senderGender: gender, senderAvatarUrl: avatarUrl, senderIsGuest: isGuest, senderRole: role }
  return { ...message, senderUsername: username, ...senderFace }
}

function nextPageFrom(before: number | undefined): NextPageState {
  return before === undefined ? null : { before, is: 'waiting' }
}
