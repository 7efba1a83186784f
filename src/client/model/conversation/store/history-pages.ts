import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { MESSAGES_PER_PAGE } from '../../../../shared/room-chat/limits.ts'
import { mergeMessages, type StoredMessage } from './merge-messages.ts'
import type { HistoryPage, MessageStore } from './message-store.ts'
import { latestMessages, type MessageWindow, messageIdOf, shownMessages } from './scrollback.ts'

/** No more messages than this are shown together. */
export const MAX_SHOWN = 800
/** The number of messages that a trim keeps, around the message in view. */
export const SHOWN_AFTER_TRIM = 400

/** The id of the first message that is shown; 0 without one. */
export function firstShownId(store: MessageStore): number {
  return messageIdOf(store.shown.peek()[0]?.bubble)
}

export function isShown(store: MessageStore, id: MessageId): boolean {
  return store.shown.peek().some(({ bubble }) => bubble.id === id)
}

/** Adds the page before the first message that is shown, or one that begins with it. */
export function addOlderPage(store: MessageStore, { messages, more }: HistoryPage): void {
  const scrollback = { ...store.scrollback.peek(), isAtStart: !more || messages.length === 0 }
  store.setWindow({ stored: mergeMessages(store.stored.peek(), store.toStored(messages)), scrollback })
}

/** Adds the page after the last message that is shown. */
export function addNewerPage(store: MessageStore, page: HistoryPage): void {
  const gapAfterId = findGapAfterId(page, store.latest.peek())
  const stored = mergeMessages(store.toStored(page.messages), store.stored.peek())
  store.setWindow({ stored, scrollback: { ...store.scrollback.peek(), gapAfterId } })
}

/** Shows two pages that meet at a message. The latest messages stay stored. */
export function showPagesAround(store: MessageStore, { upTo, after }: { upTo: HistoryPage; after: HistoryPage }): void {
  const latest = store.latest.peek().slice(-MESSAGES_PER_PAGE)
  const messages = [...upTo.messages, ...after.messages]
  const gapAfterId = findGapAfterId({ ...after, messages }, latest)
  store.setWindow({
    stored: mergeMessages(store.toStored(messages), latest),
    scrollback: { isOpen: true, showsOlder: true, gapAfterId, isAtStart: !upTo.more },
  })
}

/** The start of the gap before the latest messages when this is the last loaded page; null without one. */
function findGapAfterId({ messages, more }: HistoryPage, latest: readonly StoredMessage[]): number | null {
  const last = messages.at(-1)
  const first = latest[0]
  const meets = !last || !more || (first !== undefined && last.id >= messageIdOf(first.bubble))
  return meets ? null : last.id
}

/** Trims a window to the messages around the one that the reader has in view, where more than 800 are shown. */
export function trimAround({ stored, scrollback }: MessageWindow, anchorId: MessageId): MessageWindow {
  const { gapAfterId } = scrollback
  const shown = shownMessages({ stored, scrollback })
  const beyondGap = gapAfterId === null ? [] : latestMessages({ stored, scrollback }).slice(-MESSAGES_PER_PAGE)
  if (shown.length <= MAX_SHOWN) return { stored: [...shown, ...beyondGap], scrollback }
  const anchor = shown.findLastIndex(({ bubble }) => messageIdOf(bubble) <= anchorId)
  const from = Math.min(Math.max(anchor - SHOWN_AFTER_TRIM / 2, 0), shown.length - SHOWN_AFTER_TRIM)
  const trimmed = shown.slice(from, from + SHOWN_AFTER_TRIM)
  const after = shown.slice(from + SHOWN_AFTER_TRIM)
  return {
    stored: [...trimmed, ...(gapAfterId === null ? after.slice(-MESSAGES_PER_PAGE) : beyondGap)],
    scrollback: {
      ...scrollback,
      isAtStart: scrollback.isAtStart && from === 0,
      gapAfterId: after.length > 0 ? messageIdOf(trimmed.at(-1)?.bubble) : gapAfterId,
    },
  }
}
