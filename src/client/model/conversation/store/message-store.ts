import type { MessageId, UserId } from '../../../../shared/protocol/ids.ts'
import { redactQuote } from '../../../../shared/room-chat/redacted-quotes.ts'
import { batch, computed, signal } from '../../../core/signals/signal.ts'
import { bubblesOf, mergeMessages, type StoredMessage, withUsers } from './merge-messages.ts'
import type { Bubble, BubbleSender, ConversationMessage } from './message-types.ts'
import { initialScrollback, latestMessages, type MessageWindow, shownMessages, trimToLatest } from './scrollback.ts'

/** A page of the history, as the server answers it. */
export interface HistoryPage {
  messages: readonly ConversationMessage[]
  /** Whether more messages follow in the same direction. */
  more: boolean
}

/** The server's messages of one conversation, as far as they are loaded: the latest, and older ones in the scrollback. */
export class MessageStore {
  readonly stored = computed(() => this.window.value.stored)
  readonly scrollback = computed(() => this.window.value.scrollback)
  readonly shown = computed(() => shownMessages(this.window.value))
  /** The messages up to the latest one, shown or not. */
  readonly latest = computed(() => latestMessages(this.window.value))

  /** Trims while the reader is further up: set by the history loader, before which nothing grows large. */
  trimOpen = (window: MessageWindow, _anchorId: MessageId): MessageWindow => window

  private readonly window = signal<MessageWindow>({ stored: [], scrollback: initialScrollback(0) })
  private readonly onChange: (stored: readonly StoredMessage[]) => void
  private viewerId = 0
  private anchorId = 0

  /** @param onChange called with all stored messages after every change */
  constructor(onChange: (stored: readonly StoredMessage[]) => void) {
    this.onChange = onChange
  }

  /** Starts over with a page. */
  open(messages: readonly ConversationMessage[], viewerId: UserId): void {
    this.viewerId = viewerId
    this.setWindow({ stored: this.toStored(messages), scrollback: initialScrollback(messages.length) })
  }

  /** The same page again: messages that have arrived since its rendering stay. */
  reopen(messages: readonly ConversationMessage[]): void {
    this.setWindow({
      stored: mergeMessages(this.toStored(messages), this.stored.peek()),
      scrollback: this.scrollback.peek(),
    })
  }

  /** Adds a new message; `seq` is that of its event, 0 where no event brought it. */
  add(bubble: Bubble, seq: number): void {
    const [before, more] = [this.stored.peek(), [{ bubble, seq }]]
    this.setWindow({
      stored: seq > 0 ? mergeMessages(before, more) : mergeMessages(more, before),
      scrollback: this.scrollback.peek(),
    })
  }

  /** A snapshot will follow: only messages that arrive from now on stay when it replaces the others. */
  resetSeqs(): void {
    this.window.value = { ...this.window.peek(), stored: this.stored.peek().map(({ bubble }) => ({ bubble, seq: 0 })) }
  }

  /** The latest messages in place of all that are not newer. */
  replaceWithLatest(messages: readonly ConversationMessage[]): void {
    const newer = this.stored.peek().filter(({ seq }) => seq > 0)
    this.setWindow({
      stored: mergeMessages(newer, this.toStored(messages)),
      scrollback: initialScrollback(messages.length),
    })
  }

  /** Removes a sender's messages, and quotes of them. */
  removeBySender(userId: UserId): void {
    const remaining = this.stored.peek().filter(({ bubble }) => bubble.sender.id !== userId)
    const stored = remaining.map((one) =>
      one.bubble.replyTo?.senderId === userId ? { ...one, bubble: redactQuote(one.bubble) } : one,
    )
    this.setWindow({ stored, scrollback: this.scrollback.peek() })
  }

  /** Updates these users' names and avatars in their messages and in quotes of them. */
  updateUsers(people: readonly BubbleSender[]): void {
    const byId = new Map(people.map((person) => [person.id, person]))
    const before = this.stored.peek()
    const stored = before.map(({ bubble, seq }) => ({ bubble: withUsers(bubble, byId), seq }))
    if (stored.some(({ bubble }, index) => bubble !== before[index]?.bubble))
      this.setWindow({ stored, scrollback: this.scrollback.peek() })
  }

  /** Removes everything. */
  clear(): void {
    this.setWindow({ stored: [], scrollback: initialScrollback(0) })
  }

  /** The reader scrolls up: from now on nothing is trimmed above. */
  enterScrollback({ showsOlder = this.scrollback.peek().showsOlder } = {}): void {
    const scrollback = this.scrollback.peek()
    if (!scrollback.isOpen || scrollback.showsOlder !== showsOlder)
      this.setWindow({ stored: this.stored.peek(), scrollback: { ...scrollback, isOpen: true, showsOlder } })
  }

  /** The reader is back at the end: the latest 40 are shown. */
  leaveScrollback(): void {
    const scrollback = this.scrollback.peek()
    if (scrollback.isOpen)
      this.setWindow({ stored: this.stored.peek(), scrollback: { ...scrollback, isOpen: false, showsOlder: false } })
  }

  /** The reader has this message in view: trimming keeps it. */
  setAnchor(id: MessageId): void {
    this.anchorId = id
  }

  /** Messages that no event brought, as the store keeps them. */
  toStored(messages: readonly ConversationMessage[]): StoredMessage[] {
    return bubblesOf(messages, this.viewerId).map((bubble) => ({ bubble, seq: 0 }))
  }

  /** Stores and shows these messages, as far as they are not trimmed. */
  setWindow(window: MessageWindow): void {
    batch(() => {
      this.window.value = window.scrollback.isOpen ? this.trimOpen(window, this.anchorId) : trimToLatest(window)
      this.onChange(this.stored.peek())
    })
  }
}
