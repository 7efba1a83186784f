import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import type { Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import { followBlocks } from '../relations/follow-blocks.ts'
import type { Messages, Page } from './messages.ts'
import { idOf, MOST_SHOWN } from './past.ts'

const NOT_LOADED = 'Mesajlar yüklenemedi. Bağlantını kontrol edip tekrar dene.'
const NOT_THERE = 'Bu mesaj artık görünmüyor.'

/** Whoever scrolls faster than the server answers waits; it says how long. */
const MOST_AGAIN = 3
/** What is to be brought back and could not be had is asked for again after this. */
const AGAIN_MS = 2_000

/**
 * Brings what was said earlier into a messages. Each way answers null when it is done, or says in Turkish why it is not.
 * What comes when the thread has moved on meanwhile is let go.
 */
export class History {
  private readonly environment: Environment
  private readonly live: Live
  private readonly messages: Messages
  /** Rises whenever something is taken away: a page that waits for another one may still have it. */
  private removals = 0
  /** Rises with everything that is to be brought back; what is loaded anew needs nothing of it. */
  private toRestore = 0

  constructor(environment: Environment, live: Live, messages: Messages) {
    this.environment = environment
    this.live = live
    this.messages = messages
    for (const name of ['removeBannedMessages', 'clearMessages'] as const) live.on(name, () => this.removals++)
    followBlocks(live, { blocked: () => this.removals++ })
    live.on('loadRoomMessages', () => this.toRestore++)
  }

  /** The messages before the first one that is shown. */
  async older(): Promise<string | null> {
    const { live, messages } = this
    const { roomId } = live
    if (roomId === null) return NOT_LOADED
    // From here on nothing goes away at the top, so what comes fits there.
    messages.openPast({ isOlder: true })
    const before = messages.firstId()
    const page = await this.ask({ roomId, ...(before > 0 && { before }) })
    if (typeof page === 'string') return page
    if (live.roomId === roomId && messages.firstId() === before && messages.past.peek().isOpen) messages.addOlder(page)
    return null
  }

  /** The messages after the last one that is shown, where it is not the latest. */
  async newer(): Promise<string | null> {
    const { live, messages } = this
    const { roomId } = live
    const { upTo } = messages.past.peek()
    if (roomId === null || upTo === null) return null
    const page = await this.ask({ roomId, after: upTo })
    if (typeof page === 'string') return page
    if (live.roomId === roomId && messages.past.peek().upTo === upTo) messages.addNewer(page)
    return null
  }

  /** Shows a message among those that were said around it. */
  async goTo(id: number): Promise<string | null> {
    const { live, messages } = this
    const { roomId } = live
    if (roomId === null) return NOT_LOADED
    if (messages.shows(id)) return null
    const { removals } = this
    const [upTo, after] = await Promise.all([this.ask({ roomId, before: id + 1 }), this.ask({ roomId, after: id })])
    if (typeof upTo === 'string') return upTo
    if (typeof after === 'string') return after
    if (removals !== this.removals) return this.goTo(id)
    if (live.roomId !== roomId || upTo.messages.at(-1)?.id !== id) return NOT_THERE
    messages.showAround({ upTo, after })
    return null
  }

  /**
   * Brings back what was not for the reader before: among the latest messages, and where they have gone up. Tried until
   * it is there: no event tells of it again.
   */
  async restore(): Promise<void> {
    const wanted = ++this.toRestore
    while (this.toRestore === wanted && !(await this.isRestored())) await this.pause(AGAIN_MS)
  }

  private async isRestored(): Promise<boolean> {
    const { live, messages } = this
    const { roomId } = live
    if (roomId === null) return false
    const { removals } = this
    const latest = await this.ask({ roomId })
    const shown = await this.shownAnew(roomId)
    if (typeof latest === 'string' || shown === null || live.roomId !== roomId) return false
    if (removals !== this.removals) return this.isRestored()
    const { isOpen, upTo } = messages.past.peek()
    const within = upTo === null ? shown : shown.filter(({ id }) => id <= upTo)
    messages.addOlder({ messages: [...within, ...latest.messages], more: isOpen || latest.more })
    return true
  }

  /** What is shown further up, read anew; null where it could not be had. */
  private async shownAnew(roomId: number): Promise<Message[] | null> {
    const { messages } = this
    const anew: Message[] = []
    const first = messages.firstId()
    // No message comes before id 1.
    let after = messages.past.peek().isOpen && first > 0 ? Math.max(first - 1, 1) : 0
    while (after > 0 && anew.length < MOST_SHOWN) {
      const page = await this.ask({ roomId, after })
      if (typeof page === 'string') return null
      anew.push(...page.messages)
      after = page.more ? idOf(page.messages.at(-1)) : 0
      if (after >= idOf(messages.shown.peek().at(-1)?.bubble)) break
    }
    return anew
  }

  private async ask(input: CommandInput<'getMessages'>): Promise<Page | string> {
    let answer = await this.live.request('getMessages', input)
    for (let again = 0; again < MOST_AGAIN && answer instanceof Refusal && isForNow(answer.body); again++) {
      await this.pause(answer.body.waitMs ?? 0)
      answer = await this.live.request('getMessages', input)
    }
    if (answer instanceof Refusal) return answer.body.message
    if (typeof answer === 'string') return NOT_LOADED
    return answer
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.environment.after(ms, resolve))
  }
}

function isForNow({ code }: RefusalBody): boolean {
  return code === 'RateLimited'
}
