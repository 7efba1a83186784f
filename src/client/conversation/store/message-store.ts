import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../shared/room-chat/quotes.ts'
import type { Bubble, BubbleSender } from '../../room-chat/state.ts'
import { batch, computed, signal } from '../../signal.ts'
import { bubblesOf, mergeMessages, type StoredMessage, withUsers } from './bubbles.ts'
import {
  initialScrollback,
  latestMessages,
  type MessageWindow,
  messageIdOf,
  shownMessages,
  trimWindow,
} from './scrollback.ts'

/** A page of the history, as the server answers it. */
export interface HistoryPage {
  messages: readonly Message[]
  /** There are others beyond it. */
  more: boolean
}

/** The server's messages of the room that is shown, as far as they are loaded: the latest, and those gone back to. */
export class MessageStore {
  readonly stored = computed(() => this.window.value.stored)
  readonly scrollback = computed(() => this.window.value.scrollback)
  readonly shown = computed(() => shownMessages(this.window.value))
  /** Those that end with the latest one, shown or not. */
  readonly latest = computed(() => latestMessages(this.window.value))

  private readonly window = signal<MessageWindow>({ stored: [], scrollback: initialScrollback(0) })
  private readonly onChange: (known: readonly StoredMessage[]) => void
  private viewerId = 0
  private anchorId = 0

  /** @param arrived told of all that is known whenever something came or went */
  constructor(arrived: (known: readonly StoredMessage[]) => void) {
    this.onChange = arrived
  }

  /** A page of another room begins anew. */
  open(messages: readonly Message[], viewerId: number): void {
    this.viewerId = viewerId
    this.setWindow({ stored: this.toStored(messages), scrollback: initialScrollback(messages.length) })
  }

  /** The same room's page again: what has come since it was rendered stays. */
  reopen(messages: readonly Message[]): void {
    this.setWindow({
      stored: mergeMessages(this.toStored(messages), this.stored.peek()),
      scrollback: this.scrollback.peek(),
    })
  }

  /** Something new was said; `seq` is that of its event, 0 where no event brought it. */
  add(bubble: Bubble, seq: number): void {
    const [before, more] = [this.stored.peek(), [{ bubble, seq }]]
    this.setWindow({
      stored: seq > 0 ? mergeMessages(before, more) : mergeMessages(more, before),
      scrollback: this.scrollback.peek(),
    })
  }

  /** What is known so far may be outdated: only what comes from now on outlives the messages that will be loaded. */
  resetSeqs(): void {
    this.window.value = { ...this.window.peek(), stored: this.stored.peek().map(({ bubble }) => ({ bubble, seq: 0 })) }
  }

  /** The latest messages anew, in place of all that is not newer. */
  replaceWithLatest(messages: readonly Message[]): void {
    const newer = this.stored.peek().filter(({ seq }) => seq > 0)
    this.setWindow({
      stored: mergeMessages(newer, this.toStored(messages)),
      scrollback: initialScrollback(messages.length),
    })
  }

  /** Takes messages away, wherever they are: of the latest or of the past. */
  removeWhere(isGone: (bubble: Bubble) => boolean): void {
    this.setWindow({
      stored: this.stored.peek().filter(({ bubble }) => !isGone(bubble)),
      scrollback: this.scrollback.peek(),
    })
  }

  /** Takes away what somebody said, from quotes too. */
  removeBySender(userId: number): void {
    const stays = this.stored.peek().filter(({ bubble }) => bubble.sender.id !== userId)
    const known = stays.map((one) =>
      one.bubble.replyTo?.senderId === userId ? { ...one, bubble: redactQuote(one.bubble) } : one,
    )
    this.setWindow({ stored: known, scrollback: this.scrollback.peek() })
  }

  /** These people are shown so from now on, in what they said and in quotes of it. */
  updateUsers(people: readonly BubbleSender[]): void {
    const byId = new Map(people.map((person) => [person.id, person]))
    const before = this.stored.peek()
    const known = before.map(({ bubble, seq }) => ({ bubble: withUsers(bubble, byId), seq }))
    if (known.some(({ bubble }, index) => bubble !== before[index]?.bubble))
      this.setWindow({ stored: known, scrollback: this.scrollback.peek() })
  }

  /** Everything that was said so far is gone. */
  clear(): void {
    this.setWindow({ stored: [], scrollback: initialScrollback(0) })
  }

  /** The reader goes up: from now on nothing goes away above. */
  enterScrollback({ isOlder = this.scrollback.peek().showsOlder } = {}): void {
    const past = this.scrollback.peek()
    if (!past.isOpen || past.showsOlder !== isOlder)
      this.setWindow({ stored: this.stored.peek(), scrollback: { ...past, isOpen: true, showsOlder: isOlder } })
  }

  /** The reader is back at the end: the latest 40 are shown. */
  leaveScrollback(): void {
    const past = this.scrollback.peek()
    if (past.isOpen)
      this.setWindow({ stored: this.stored.peek(), scrollback: { ...past, isOpen: false, showsOlder: false } })
  }

  /** The reader has come to this message: whatever is too much, it stays. */
  setAnchor(id: number): void {
    this.anchorId = id
  }

  /** The page before the first message that is shown, or one that begins with it. */
  addOlder({ messages, more }: HistoryPage): void {
    const past = { ...this.scrollback.peek(), isAtStart: !more || messages.length === 0 }
    this.setWindow({ stored: mergeMessages(this.stored.peek(), this.toStored(messages)), scrollback: past })
  }

  /** The page after the last message that is shown. */
  addNewer(page: HistoryPage): void {
    const upTo = this.findGapAfterId(page, this.latest.peek())
    const known = mergeMessages(this.toStored(page.messages), this.stored.peek())
    this.setWindow({ stored: known, scrollback: { ...this.scrollback.peek(), gapAfterId: upTo } })
  }

  /** Two pages that meet at a message, in place of what is shown. The latest stay known. */
  showAround({ upTo, after }: { upTo: HistoryPage; after: HistoryPage }): void {
    const latest = this.latest.peek().slice(-MESSAGES_PER_PAGE)
    const window = this.toStored([...upTo.messages, ...after.messages])
    const end = this.findGapAfterId({ ...after, messages: [...upTo.messages, ...after.messages] }, latest)
    this.setWindow({
      stored: mergeMessages(window, latest),
      scrollback: { isOpen: true, showsOlder: true, gapAfterId: end, isAtStart: !upTo.more },
    })
  }

  firstShownId(): number {
    return messageIdOf(this.shown.peek()[0]?.bubble)
  }

  isShown(id: number): boolean {
    return this.shown.peek().some(({ bubble }) => bubble.id === id)
  }

  /** Where the gap before the latest messages begins when this page is the last that is loaded; null without one. */
  private findGapAfterId({ messages, more }: HistoryPage, latest: readonly StoredMessage[]): number | null {
    const last = messages.at(-1)
    const first = latest[0]
    const meets = !last || !more || (first !== undefined && last.id >= messageIdOf(first.bubble))
    return meets ? null : last.id
  }

  private toStored(messages: readonly Message[]): StoredMessage[] {
    return bubblesOf(messages, this.viewerId).map((bubble) => ({ bubble, seq: 0 }))
  }

  private setWindow(kept: MessageWindow): void {
    batch(() => {
      this.window.value = trimWindow(kept, this.anchorId)
      this.onChange(this.stored.peek())
    })
  }
}
