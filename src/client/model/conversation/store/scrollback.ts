import type { MessageId } from '../../../../shared/protocol/ids.ts'
import { MESSAGES_PER_PAGE } from '../../../../shared/room-chat/limits.ts'
import type { StoredMessage } from './merge-messages.ts'

/** Which messages a thread shows beside the latest ones. */
interface Scrollback {
  /** The reader has scrolled up: messages older than the latest 40 stay stored. */
  isOpen: boolean
  /** Messages older than the latest 40 are shown, or are loading: they are read, not announced. */
  showsOlder: boolean
  /** The newest message shown, where those between it and the latest ones are not loaded; null without a gap. */
  gapAfterId: MessageId | null
  /** The first message that is loaded is the first of the conversation. */
  isAtStart: boolean
}

/** Messages of the server, oldest first, and which of them are shown. */
export interface MessageWindow {
  stored: readonly StoredMessage[]
  scrollback: Scrollback
}

/** The scrollback of a page: its messages are the latest, and fewer than 40 are all messages. */
export function initialScrollback(count: number): Scrollback {
  return { isOpen: false, showsOlder: false, gapAfterId: null, isAtStart: count < MESSAGES_PER_PAGE }
}

/** The messages that are shown. */
export function shownMessages({ stored, scrollback }: MessageWindow): readonly StoredMessage[] {
  const { gapAfterId } = scrollback
  return gapAfterId === null ? stored : stored.filter(({ bubble }) => messageIdOf(bubble) <= gapAfterId)
}

/** The messages that end with the latest one: all that are shown, or those beyond the gap. */
export function latestMessages({ stored, scrollback }: MessageWindow): readonly StoredMessage[] {
  const { gapAfterId } = scrollback
  return gapAfterId === null ? stored : stored.filter(({ bubble }) => messageIdOf(bubble) > gapAfterId)
}

/** A window with the latest messages alone. */
export function trimToLatest({ stored, scrollback }: MessageWindow): MessageWindow {
  const latest = latestMessages({ stored, scrollback }).slice(-MESSAGES_PER_PAGE)
  const isAtStart = scrollback.isAtStart && latest.length === stored.length
  return { stored: latest, scrollback: { ...scrollback, gapAfterId: null, isAtStart } }
}

/** The sort key of a message; 0 sorts before all. */
export function messageIdOf(bubble: { id: MessageId | null } | undefined): number {
  return bubble?.id ?? 0
}
