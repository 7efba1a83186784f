import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { Refusal, type RefusalBody } from '../../../../shared/protocol/refusals.ts'
import type { Conversation } from '../conversation.ts'
import {
  addNewerPage,
  addOlderPage,
  firstShownId,
  isShown,
  MAX_SHOWN,
  showPagesAround,
  trimAround,
} from './history-pages.ts'
import type { HistoryPage, MessageStore } from './message-store.ts'
import type { ConversationMessage } from './message-types.ts'
import { messageIdOf } from './scrollback.ts'

const LOAD_FAILED = 'Mesajlar yüklenemedi. Bağlantını kontrol edip tekrar dene.'
const MESSAGE_REMOVED = 'Bu mesaj artık görünmüyor.'

/** A request that the server limits is repeated this often, after the wait that the server names. */
const MAX_RETRIES = 3
/** Messages that could not be restored are requested again after this. */
const RESTORE_RETRY_MS = 2_000

const loaders = new WeakMap<Conversation, HistoryLoader>()

/** The one loader of a conversation, made when it is needed first. */
export function historyLoaderOf(conversation: Conversation): HistoryLoader {
  const loader = loaders.get(conversation) ?? new HistoryLoader(conversation)
  loaders.set(conversation, loader)
  return loader
}

/**
 * Loads older messages into a conversation's store. Each method returns null when it is done, or the reason in Turkish.
 * A page that no longer fits, because the thread has moved on meanwhile, is dropped.
 */
export class HistoryLoader {
  private readonly conversation: Conversation
  private readonly messages: MessageStore
  /** Rises with every removal: a page that waits for another one may still hold removed messages. */
  private removalGeneration = 0
  /** Rises with every restore, and with a reload, after which nothing is left to restore. */
  private restoreGeneration = 0

  constructor(conversation: Conversation) {
    this.conversation = conversation
    this.messages = conversation.store
    this.messages.trimOpen = trimAround
    conversation.addListener({
      onRemoved: () => this.dropPendingPages(),
      onReloaded: () => this.restoreGeneration++,
      onClosed: () => this.restoreGeneration++,
    })
  }

  /** Pages that wait for others are requested again: a message in them was removed, or is shown again. */
  dropPendingPages(): void {
    this.removalGeneration++
  }

  /** The messages before the first one that is shown. */
  async loadOlder(): Promise<string | null> {
    const { conversation, messages } = this
    if (!conversation.isReady()) return LOAD_FAILED
    // From here on nothing is trimmed at the top, so the page fits there.
    messages.enterScrollback({ showsOlder: true })
    const before = firstShownId(messages)
    const page = await this.requestPage(before > 0 ? { before } : {})
    if (typeof page === 'string') return page
    if (conversation.isReady() && firstShownId(messages) === before && messages.scrollback.peek().isOpen)
      addOlderPage(messages, page)
    return null
  }

  /** The messages after the last one that is shown, where it is not the latest. */
  async loadNewer(): Promise<string | null> {
    const { conversation, messages } = this
    const { gapAfterId } = messages.scrollback.peek()
    if (!conversation.isReady() || gapAfterId === null) return null
    const page = await this.requestPage({ after: gapAfterId })
    if (typeof page === 'string') return page
    if (conversation.isReady() && messages.scrollback.peek().gapAfterId === gapAfterId) addNewerPage(messages, page)
    return null
  }

  /** Shows a message with the messages around it. */
  async loadAround(id: MessageId): Promise<string | null> {
    const { conversation, messages } = this
    if (!conversation.isReady()) return LOAD_FAILED
    if (isShown(messages, id)) return null
    const { removalGeneration } = this
    const [upTo, after] = await Promise.all([this.requestPage({ before: id + 1 }), this.requestPage({ after: id })])
    if (typeof upTo === 'string') return upTo
    if (typeof after === 'string') return after
    if (removalGeneration !== this.removalGeneration) return this.loadAround(id)
    if (!conversation.isReady() || upTo.messages.at(-1)?.id !== id) return MESSAGE_REMOVED
    showPagesAround(messages, { upTo, after })
    return null
  }

  /** Shows the messages after an id, which may itself be gone, with those before it. */
  async loadAfter(id: number): Promise<string | null> {
    const { conversation, messages } = this
    const { removalGeneration } = this
    const [upTo, after] = await Promise.all([this.requestPage({ before: id + 1 }), this.requestPage({ after: id })])
    if (typeof upTo === 'string') return upTo
    if (typeof after === 'string') return after
    if (removalGeneration === this.removalGeneration && conversation.isReady())
      showPagesAround(messages, { upTo, after })
    return null
  }

  /**
   * Restores messages that were hidden from the viewer: among the latest, and among older ones that are shown. No event
   * announces them again, so it retries until it succeeds.
   */
  async restoreUnblocked(): Promise<void> {
    const wanted = ++this.restoreGeneration
    while (this.restoreGeneration === wanted && !(await this.tryRestore())) await this.delay(RESTORE_RETRY_MS)
  }

  private async tryRestore(): Promise<boolean> {
    const { conversation, messages } = this
    if (!conversation.isReady()) return false
    const { removalGeneration } = this
    const latest = await this.requestPage({})
    const shown = await this.refetchShown()
    if (typeof latest === 'string' || shown === null || !conversation.isReady()) return false
    if (removalGeneration !== this.removalGeneration) return this.tryRestore()
    const { isOpen, gapAfterId } = messages.scrollback.peek()
    const within = gapAfterId === null ? shown : shown.filter(({ id }) => id <= gapAfterId)
    addOlderPage(messages, { messages: [...within, ...latest.messages], more: isOpen || latest.more })
    return true
  }

  /** The messages that are shown further up, fetched again; null where that failed. */
  private async refetchShown(): Promise<ConversationMessage[] | null> {
    const { messages } = this
    const refetched: ConversationMessage[] = []
    const first = firstShownId(messages)
    // No message comes before id 1.
    let after = messages.scrollback.peek().isOpen && first > 0 ? Math.max(first - 1, 1) : 0
    while (after > 0 && refetched.length < MAX_SHOWN) {
      const page = await this.requestPage({ after })
      if (typeof page === 'string') return null
      refetched.push(...page.messages)
      after = page.more ? messageIdOf(page.messages.at(-1)) : 0
      if (after >= messageIdOf(messages.shown.peek().at(-1)?.bubble)) break
    }
    return refetched
  }

  private async requestPage(range: { before?: number; after?: number }): Promise<HistoryPage | string> {
    let answer = await this.conversation.requestPage(range)
    for (let retry = 0; retry < MAX_RETRIES && answer instanceof Refusal && isTemporary(answer.body); retry++) {
      await this.delay(answer.body.waitMs ?? 0)
      answer = await this.conversation.requestPage(range)
    }
    if (answer instanceof Refusal) return answer.body.message
    return typeof answer === 'string' ? LOAD_FAILED : answer
  }

  private delay(ms: number): Promise<void> {
    return new Promise((resolve) => void this.conversation.environment.setTimer(ms, resolve))
  }
}

function isTemporary({ code }: RefusalBody): boolean {
  return code === 'RateLimited'
}
