import type { CommandInput } from '../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import type { Environment } from '../live/environment.ts'
import type { Live } from '../live/live.ts'
import type { Messages } from './messages.ts'

const NOT_LOADED = 'Mesajlar yüklenemedi. Bağlantını kontrol edip tekrar dene.'
const NOT_THERE = 'Bu mesaj artık görünmüyor.'

/** Whoever scrolls faster than the server answers waits; it says how long. */
const MOST_AGAIN = 3

/**
 * Brings what was said earlier into a messages. Each way answers null when it is done, or says in Turkish why it is not.
 * What comes when the thread has moved on meanwhile is let go.
 */
export class History {
  private readonly environment: Environment
  private readonly live: Live
  private readonly messages: Messages

  constructor(environment: Environment, live: Live, messages: Messages) {
    this.environment = environment
    this.live = live
    this.messages = messages
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
    const [upTo, after] = await Promise.all([this.ask({ roomId, before: id + 1 }), this.ask({ roomId, after: id })])
    if (typeof upTo === 'string') return upTo
    if (typeof after === 'string') return after
    if (live.roomId !== roomId || upTo.messages.at(-1)?.id !== id) return NOT_THERE
    messages.showAround({ upTo, after })
    return null
  }

  private async ask(input: CommandInput<'getMessages'>) {
    let answer = await this.live.request('getMessages', input)
    for (let again = 0; again < MOST_AGAIN && answer instanceof Refusal && isForNow(answer.body); again++) {
      await this.pause(answer.body.waitMs ?? 0)
      answer = await this.live.request('getMessages', input)
    }
    if (answer instanceof Refusal) return answer.body.message
    return typeof answer === 'string' ? NOT_LOADED : answer
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.environment.after(ms, resolve))
  }
}

function isForNow({ code }: RefusalBody): boolean {
  return code === 'RateLimited'
}
