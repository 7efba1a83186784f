import type { Message } from '../../shared/room-chat/message.ts'
import { MESSAGES_PER_PAGE } from '../../shared/text/limits.ts'
import { redactQuote } from '../../shared/text/quotes.ts'
import { batch, computed, signal } from '../signal.ts'
import { bubblesOf, type Known, merge, shownWith } from './bubbles.ts'
import { idOf, type Kept, keep, latestOf, latestOnly, shownOf } from './past.ts'
import type { Bubble, BubbleSender } from './state.ts'

/** A page of the history, as the server answers it. */
export interface Page {
  messages: readonly Message[]
  /** There are others beyond it. */
  more: boolean
}

/** The server's messages of the room that is shown, as far as they are loaded: the latest, and those gone back to. */
export class Messages {
  readonly known = computed(() => this.kept.value.known)
  readonly past = computed(() => this.kept.value.past)
  readonly shown = computed(() => shownOf(this.kept.value))
  /** Those that end with the latest one, shown or not. */
  readonly latest = computed(() => latestOf(this.kept.value))

  private readonly kept = signal<Kept>({ known: [], past: latestOnly(0) })
  private readonly arrived: (known: readonly Known[]) => void
  private viewerId = 0
  private inView = 0

  /** @param arrived told of all that is known whenever something came or went */
  constructor(arrived: (known: readonly Known[]) => void) {
    this.arrived = arrived
  }

  /** A page of another room begins anew. */
  open(messages: readonly Message[], viewerId: number): void {
    this.viewerId = viewerId
    this.set({ known: this.from(messages), past: latestOnly(messages.length) })
  }

  /** The same room's page again: what has come since it was rendered stays. */
  openAgain(messages: readonly Message[]): void {
    this.set({ known: merge(this.from(messages), this.known.peek()), past: this.past.peek() })
  }

  /** Something new was said; `seq` is that of its event, 0 where no event brought it. */
  add(bubble: Bubble, seq: number): void {
    const [before, more] = [this.known.peek(), [{ bubble, seq }]]
    this.set({ known: seq > 0 ? merge(before, more) : merge(more, before), past: this.past.peek() })
  }

  /** What is known so far may be outdated: only what comes from now on outlives the messages that will be loaded. */
  forgetSeqs(): void {
    this.kept.value = { ...this.kept.peek(), known: this.known.peek().map(({ bubble }) => ({ bubble, seq: 0 })) }
  }

  /** The latest messages anew, in place of all that is not newer. */
  load(messages: readonly Message[]): void {
    const newer = this.known.peek().filter(({ seq }) => seq > 0)
    this.set({ known: merge(newer, this.from(messages)), past: latestOnly(messages.length) })
  }

  /** Takes messages away, wherever they are: of the latest or of the past. */
  remove(isGone: (bubble: Bubble) => boolean): void {
    this.set({ known: this.known.peek().filter(({ bubble }) => !isGone(bubble)), past: this.past.peek() })
  }

  /** Takes away what somebody said, from quotes too. */
  removeOf(userId: number): void {
    const stays = this.known.peek().filter(({ bubble }) => bubble.sender.id !== userId)
    const known = stays.map((one) =>
      one.bubble.replyTo?.senderId === userId ? { ...one, bubble: redactQuote(one.bubble) } : one,
    )
    this.set({ known, past: this.past.peek() })
  }

  /** These people are shown so from now on, in what they said and in quotes of it. */
  renew(people: readonly BubbleSender[]): void {
    const byId = new Map(people.map((person) => [person.id, person]))
    const before = this.known.peek()
    const known = before.map(({ bubble, seq }) => ({ bubble: shownWith(bubble, byId), seq }))
    if (known.some(({ bubble }, index) => bubble !== before[index]?.bubble)) this.set({ known, past: this.past.peek() })
  }

  /** Everything that was said so far is gone. */
  clear(): void {
    this.set({ known: [], past: latestOnly(0) })
  }

  /** The reader goes up: from now on nothing goes away above. */
  openPast({ isOlder = this.past.peek().isOlder } = {}): void {
    const past = this.past.peek()
    if (!past.isOpen || past.isOlder !== isOlder)
      this.set({ known: this.known.peek(), past: { ...past, isOpen: true, isOlder } })
  }

  /** The reader is back at the end: the latest 40 are shown. */
  leavePast(): void {
    const past = this.past.peek()
    if (past.isOpen) this.set({ known: this.known.peek(), past: { ...past, isOpen: false, isOlder: false } })
  }

  /** The reader has come to this message: whatever is too much, it stays. */
  readAt(id: number): void {
    this.inView = id
  }

  /** The page before the first message that is shown, or one that begins with it. */
  addOlder({ messages, more }: Page): void {
    const past = { ...this.past.peek(), isStart: !more || messages.length === 0 }
    this.set({ known: merge(this.known.peek(), this.from(messages)), past })
  }

  /** The page after the last message that is shown. */
  addNewer(page: Page): void {
    const upTo = this.gapAfter(page, this.latest.peek())
    const known = merge(this.from(page.messages), this.known.peek())
    this.set({ known, past: { ...this.past.peek(), upTo } })
  }

  /** Two pages that meet at a message, in place of what is shown. The latest stay known. */
  showAround({ upTo, after }: { upTo: Page; after: Page }): void {
    const latest = this.latest.peek().slice(-MESSAGES_PER_PAGE)
    const window = this.from([...upTo.messages, ...after.messages])
    const end = this.gapAfter({ ...after, messages: [...upTo.messages, ...after.messages] }, latest)
    this.set({ known: merge(window, latest), past: { isOpen: true, isOlder: true, upTo: end, isStart: !upTo.more } })
  }

  firstId(): number {
    return idOf(this.shown.peek()[0]?.bubble)
  }

  shows(id: number): boolean {
    return this.shown.peek().some(({ bubble }) => bubble.id === id)
  }

  /** Where the gap before the latest messages begins when this page is the last that is loaded; null without one. */
  private gapAfter({ messages, more }: Page, latest: readonly Known[]): number | null {
    const last = messages.at(-1)
    const first = latest[0]
    const meets = !last || !more || (first !== undefined && last.id >= idOf(first.bubble))
    return meets ? null : last.id
  }

  private from(messages: readonly Message[]): Known[] {
    return bubblesOf(messages, this.viewerId).map((bubble) => ({ bubble, seq: 0 }))
  }

  private set(kept: Kept): void {
    batch(() => {
      this.kept.value = keep(kept, this.inView)
      this.arrived(this.known.peek())
    })
  }
}
