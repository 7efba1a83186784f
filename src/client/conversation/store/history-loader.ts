import type { CommandInput } from '../../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import type { Environment } from '../../live/environment.ts'
import type { LiveClient } from '../../live/live-client.ts'
import { listenForBlocks } from '../../relations/block-listener.ts'
import type { HistoryPage, MessageStore } from './message-store.ts'
import { MAX_SHOWN, messageIdOf } from './scrollback.ts'

const LOAD_FAILED = 'Mesajlar yüklenemedi. Bağlantını kontrol edip tekrar dene.'
const MESSAGE_REMOVED = 'Bu mesaj artık görünmüyor.'

/** Whoever scrolls faster than the server answers waits; it says how long. */
const MAX_RETRIES = 3
/** What is to be brought back and could not be had is asked for again after this. */
const RESTORE_RETRY_MS = 2_000

/**
 * Brings what was said earlier into a messages. Each way answers null when it is done, or says in Turkish why it is not.
 * What comes when the thread has moved on meanwhile is let go.
 */
export class HistoryLoader {
  private readonly environment: Environment
  private readonly live: LiveClient
  private readonly messages: MessageStore
  /** Rises whenever something is taken away: a page that waits for another one may still have it. */
  private removalGeneration = 0
  /** Rises with everything that is to be brought back; what is loaded anew needs nothing of it. */
  private restoreGeneration = 0

  constructor(environment: Environment, live: LiveClient, messages: MessageStore) {
    this.environment = environment
    this.live = live
    this.messages = messages
    for (const name of ['removeBannedMessages', 'clearMessages'] as const) live.on(name, () => this.removalGeneration++)
    listenForBlocks(live, { onBlocked: () => this.removalGeneration++ })
    live.on('loadRoomMessages', () => this.restoreGeneration++)
  }

  /** The messages before the first one that is shown. */
  async loadOlder(): Promise<string | null> {
    const { live, messages } = this
    const { roomId } = live
    if (roomId === null) return LOAD_FAILED
    // From here on nothing goes away at the top, so what comes fits there.
    messages.enterScrollback({ isOlder: true })
    const before = messages.firstShownId()
    const page = await this.requestPage({ roomId, ...(before > 0 && { before }) })
    if (typeof page === 'string') return page
    if (live.roomId === roomId && messages.firstShownId() === before && messages.scrollback.peek().isOpen)
      messages.addOlder(page)
    return null
  }

  /** The messages after the last one that is shown, where it is not the latest. */
  async loadNewer(): Promise<string | null> {
    const { live, messages } = this
    const { roomId } = live
    const { gapAfterId } = messages.scrollback.peek()
    if (roomId === null || gapAfterId === null) return null
    const page = await this.requestPage({ roomId, after: gapAfterId })
    if (typeof page === 'string') return page
    if (live.roomId === roomId && messages.scrollback.peek().gapAfterId === gapAfterId) messages.addNewer(page)
    return null
  }

  /** Shows a message among those that were said around it. */
  async loadAround(id: number): Promise<string | null> {
    const { live, messages } = this
    const { roomId } = live
    if (roomId === null) return LOAD_FAILED
    if (messages.isShown(id)) return null
    const { removalGeneration } = this
    const [upTo, after] = await Promise.all([
      this.requestPage({ roomId, before: id + 1 }),
      this.requestPage({ roomId, after: id }),
    ])
    if (typeof upTo === 'string') return upTo
    if (typeof after === 'string') return after
    if (removalGeneration !== this.removalGeneration) return this.loadAround(id)
    if (live.roomId !== roomId || upTo.messages.at(-1)?.id !== id) return MESSAGE_REMOVED
    messages.showAround({ upTo, after })
    return null
  }

  /**
   * Brings back what was not for the reader before: among the latest messages, and where they have gone up. Tried until
   * it is there: no event tells of it again.
   */
  async restoreUnblocked(): Promise<void> {
    const wanted = ++this.restoreGeneration
    while (this.restoreGeneration === wanted && !(await this.tryRestore())) await this.delay(RESTORE_RETRY_MS)
  }

  private async tryRestore(): Promise<boolean> {
    const { live, messages } = this
    const { roomId } = live
    if (roomId === null) return false
    const { removalGeneration } = this
    const latest = await this.requestPage({ roomId })
    const shown = await this.refetchShown(roomId)
    if (typeof latest === 'string' || shown === null || live.roomId !== roomId) return false
    if (removalGeneration !== this.removalGeneration) return this.tryRestore()
    const { isOpen, gapAfterId } = messages.scrollback.peek()
    const within = gapAfterId === null ? shown : shown.filter(({ id }) => id <= gapAfterId)
    messages.addOlder({ messages: [...within, ...latest.messages], more: isOpen || latest.more })
    return true
  }

  /** What is shown further up, read anew; null where it could not be had. */
  private async refetchShown(roomId: number): Promise<Message[] | null> {
    const { messages } = this
    const anew: Message[] = []
    const first = messages.firstShownId()
    // No message comes before id 1.
    let after = messages.scrollback.peek().isOpen && first > 0 ? Math.max(first - 1, 1) : 0
    while (after > 0 && anew.length < MAX_SHOWN) {
      const page = await this.requestPage({ roomId, after })
      if (typeof page === 'string') return null
      anew.push(...page.messages)
      after = page.more ? messageIdOf(page.messages.at(-1)) : 0
      if (after >= messageIdOf(messages.shown.peek().at(-1)?.bubble)) break
    }
    return anew
  }

  private async requestPage(input: CommandInput<'getMessages'>): Promise<HistoryPage | string> {
    let answer = await this.live.request('getMessages', input)
    for (let again = 0; again < MAX_RETRIES && answer instanceof Refusal && isTemporary(answer.body); again++) {
      await this.delay(answer.body.waitMs ?? 0)
      answer = await this.live.request('getMessages', input)
    }
    if (answer instanceof Refusal) return answer.body.message
    if (typeof answer === 'string') return LOAD_FAILED
    return answer
  }

  private delay(ms: number): Promise<void> {
    return new Promise((resolve) => void this.environment.setTimer(ms, resolve))
  }
}

function isTemporary({ code }: RefusalBody): boolean {
  return code === 'RateLimited'
}
