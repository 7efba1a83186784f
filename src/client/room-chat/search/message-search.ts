import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { parseSearchQuery, type SearchQuery } from '../../../shared/text/search-words.ts'
import type { Cancel, Environment } from '../../live/environment.ts'
import type { LiveClient } from '../../live/live-client.ts'
import { listenForBlocks } from '../../relations/block-listener.ts'
import { signal } from '../../signal.ts'

/** A search begins when nothing was typed for this long (specification 2, point 9). */
const DEBOUNCE_MS = 250
/** So many answers may bring nothing, each having looked through a part of the room, before the reader is asked. */
const MAX_EMPTY_PAGES = 10

const SEARCH_FAILED = 'Mesajlar aranamadı. Bağlantını kontrol edip tekrar dene.'

/** What the search shows. */
export type SearchState =
  | { is: 'empty' | 'tooShort' | 'searching' }
  | { is: 'failed'; message: string }
  | { is: 'found'; query: SearchQuery; messages: readonly Message[]; next: NextPageState }

/** What becomes of the messages beyond those that are shown; null where there are none. */
export type NextPageState =
  | { before: number; is: 'waiting' | 'loading' }
  | { before: number; is: 'failed'; message: string }
  | null

/** Looks for messages of the room by what is typed; what is asked last counts. */
export class MessageSearch {
  readonly state = signal<SearchState>({ is: 'empty' })

  private readonly environment: Environment
  private readonly live: LiveClient
  private text = ''
  /** Rises with every search, so that the answer to an older one is not heeded. */
  private generation = 0
  private cancelTimer: Cancel | null = null

  constructor(environment: Environment, live: LiveClient) {
    this.environment = environment
    this.live = live
  }

  /** Keeps what was found as the room has it; answers what ends that, after which nothing under way is heeded. */
  subscribe(): () => void {
    const { live } = this
    const ends = [
      live.on('clearMessages', ({ roomId }) => this.filterResults((message) => message.roomId !== roomId)),
      live.on('removeBannedMessages', ({ userId }) => this.filterResults(({ senderId }) => senderId !== userId)),
      // What is not for the reader any more goes at once, quotes of it and what is under way with what is found anew.
      listenForBlocks(live, {
        onBlocked: (userId) => {
          this.filterResults(({ senderId }) => senderId !== userId)
          this.refresh()
        },
        onUnblocked: () => this.refresh(),
      }),
      // Whatever was missed may have taken something away.
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

  /** Searches at once: Enter was pressed, or what failed is tried again. */
  async run(): Promise<void> {
    this.cancelTimer?.()
    const asked = parseSearchQuery(this.text)
    if (!asked) return
    const turn = ++this.generation
    this.state.value = { is: 'searching' }
    const found = await this.requestPage(undefined, turn)
    if (turn !== this.generation || found === null) return
    this.state.value =
      typeof found === 'string' ? { is: 'failed', message: found } : { is: 'found', query: asked, ...found }
  }

  /** The next messages. */
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

  /** What was found, or is being looked for, may be something else by now. */
  private refresh(): void {
    const { is } = this.state.peek()
    if (is === 'found' || is === 'searching') void this.run()
  }

  /** The others were taken away. */
  private filterResults(isThere: (message: Message) => boolean): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.filter(isThere) }
  }

  private mapResults(as: (message: Message) => Message): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.map(as) }
  }

  /** The next messages that were found, however far back; why not, in Turkish; null when nobody waits any more. */
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
