import type { UserSummary } from '../../shared/accounts/protocol.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { parseSearchQuery, type SearchQuery } from '../../shared/text/words.ts'
import type { Cancel, Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import { signal } from '../signal.ts'

/** A search begins when nothing was typed for this long (specification 2, point 9). */
const PAUSE_MS = 250
/** So many answers may bring nothing, each having looked through a part of the room, before the reader is asked. */
const MOST_BLANK = 10

const NOT_SEARCHED = 'Mesajlar aranamadı. Bağlantını kontrol edip tekrar dene.'

/** What the search shows. */
export type SearchState =
  | { is: 'empty' | 'short' | 'searching' }
  | { is: 'failed'; message: string }
  | { is: 'found'; asked: SearchQuery; messages: readonly Message[]; next: NextFound }

/** What becomes of the messages beyond those that are shown; null where there are none. */
export type NextFound =
  | { before: number; is: 'waiting' | 'loading' }
  | { before: number; is: 'failed'; message: string }
  | null

/** Looks for messages of the room by what is typed; what is asked last counts. */
export class Search {
  readonly state = signal<SearchState>({ is: 'empty' })

  private readonly environment: Environment
  private readonly live: Live
  private text = ''
  /** Rises with every search, so that the answer to an older one is not heeded. */
  private turn = 0
  private cancel: Cancel | null = null

  constructor(environment: Environment, live: Live) {
    this.environment = environment
    this.live = live
  }

  /** Keeps what was found as the room has it; answers what ends that, after which nothing under way is heeded. */
  follow(): () => void {
    const { live } = this
    const ends = [
      live.on('clearMessages', ({ roomId }) => this.keep((message) => message.roomId !== roomId)),
      live.on('removeBannedMessages', ({ userId }) => this.keep(({ senderId }) => senderId !== userId)),
      // What is not for the reader any more goes at once, quotes of it and what is under way with what is found anew.
      followBlocks(live, {
        blocked: (userId) => {
          this.keep(({ senderId }) => senderId !== userId)
          this.again()
        },
        unblocked: () => this.again(),
      }),
      // Whatever was missed may have taken something away.
      live.on('loadRoomMessages', () => this.again()),
      live.on('userProfileUpdated', ({ user }) => this.show((message) => withSender(message, user))),
    ]
    return () => {
      this.turn++
      this.cancel?.()
      for (const end of ends) end()
    }
  }

  type(text: string): void {
    this.text = text
    this.turn++
    this.cancel?.()
    if (text.trim() === '') this.state.value = { is: 'empty' }
    else if (!parseSearchQuery(text)) this.state.value = { is: 'short' }
    else this.cancel = this.environment.after(PAUSE_MS, () => void this.search())
  }

  /** Searches at once: Enter was pressed, or what failed is tried again. */
  async search(): Promise<void> {
    this.cancel?.()
    const asked = parseSearchQuery(this.text)
    if (!asked) return
    const turn = ++this.turn
    this.state.value = { is: 'searching' }
    const found = await this.ask(undefined, turn)
    if (turn !== this.turn || found === null) return
    this.state.value = typeof found === 'string' ? { is: 'failed', message: found } : { is: 'found', asked, ...found }
  }

  /** The next messages. */
  async more(): Promise<void> {
    const shown = this.state.peek()
    if (shown.is !== 'found' || shown.next === null || shown.next.is === 'loading') return
    const { before } = shown.next
    const { turn } = this
    this.state.value = { ...shown, next: { before, is: 'loading' } }
    const found = await this.ask(before, turn)
    const now = this.state.peek()
    if (turn !== this.turn || found === null || now.is !== 'found') return
    this.state.value =
      typeof found === 'string'
        ? { ...now, next: { before, is: 'failed', message: found } }
        : { ...now, messages: [...now.messages, ...found.messages], next: found.next }
  }

  /** What was found, or is being looked for, may be something else by now. */
  private again(): void {
    const { is } = this.state.peek()
    if (is === 'found' || is === 'searching') void this.search()
  }

  /** The others were taken away. */
  private keep(isThere: (message: Message) => boolean): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.filter(isThere) }
  }

  private show(as: (message: Message) => Message): void {
    const shown = this.state.peek()
    if (shown.is === 'found') this.state.value = { ...shown, messages: shown.messages.map(as) }
  }

  /** The next messages that were found, however far back; why not, in Turkish; null when nobody waits any more. */
  private async ask(from: number | undefined, turn: number) {
    let before = from
    for (let blank = 0; blank < MOST_BLANK; blank++) {
      const { roomId } = this.live
      if (roomId === null) return NOT_SEARCHED
      const input = { roomId, text: this.text, ...(before !== undefined && { before }) }
      const answer = await this.live.request('searchMessages', input)
      if (turn !== this.turn) return null
      if (typeof answer === 'string') return NOT_SEARCHED
      if (answer instanceof Refusal) return answer.body.message
      const { messages } = answer
      before = answer.before
      if (messages.length > 0 || before === undefined) return { messages, next: nextFrom(before) }
    }
    return { messages: [], next: nextFrom(before) }
  }
}

function withSender(message: Message, { id, username, gender, avatarUrl, isGuest, role }: UserSummary): Message {
  if (message.senderId !== id) return message
  const senderFace = { senderGender: gender, senderAvatarUrl: avatarUrl, senderIsGuest: isGuest, senderRole: role }
  return { ...message, senderUsername: username, ...senderFace }
}

function nextFrom(before: number | undefined): NextFound {
  return before === undefined ? null : { before, is: 'waiting' }
}
