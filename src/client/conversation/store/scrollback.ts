import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import type { StoredMessage } from './bubbles.ts'

/** What a thread shows beside the latest messages of its room. */
export interface Scrollback {
  /** The reader has gone up: messages older than the latest 40 stay on the screen. */
  isOpen: boolean
  /** Messages from before the latest 40 are shown, or on their way: they are read, not announced. */
  showsOlder: boolean
  /** The newest message shown, where those between it and the latest ones are not loaded; null where none is missing. */
  gapAfterId: number | null
  /** Nothing was said in the room before the first message that is loaded. */
  isAtStart: boolean
}

/** More messages than this are not on the screen together. */
export const MAX_SHOWN = 800
/** Where there are more, so many stay: those around what the reader has in view. */
export const SHOWN_AFTER_TRIM = 400

/** Messages of the server, oldest first, and what of them is shown. */
export interface MessageWindow {
  stored: readonly StoredMessage[]
  scrollback: Scrollback
}

/** As a page begins: its messages are the latest, and fewer than 40 are all that there are. */
export function initialScrollback(count: number): Scrollback {
  return { isOpen: false, showsOlder: false, gapAfterId: null, isAtStart: count < MESSAGES_PER_PAGE }
}

/** What is shown of the messages. */
export function shownMessages({ stored, scrollback }: MessageWindow): readonly StoredMessage[] {
  const { gapAfterId } = scrollback
  return gapAfterId === null ? stored : stored.filter(({ bubble }) => messageIdOf(bubble) <= gapAfterId)
}

/** The messages that end with the latest one: all that are shown, or those beyond the gap. */
export function latestMessages({ stored, scrollback }: MessageWindow): readonly StoredMessage[] {
  const { gapAfterId } = scrollback
  return gapAfterId === null ? stored : stored.filter(({ bubble }) => messageIdOf(bubble) > gapAfterId)
}

/**
 * Lets go of what is too much: everything but the latest 40 where the reader is with them, and otherwise what is
 * furthest from the message that the reader has in view.
 */
export function trimWindow({ stored, scrollback }: MessageWindow, inView: number): MessageWindow {
  if (!scrollback.isOpen) {
    const latest = latestMessages({ stored: stored, scrollback: scrollback }).slice(-MESSAGES_PER_PAGE)
    return {
      stored: latest,
      scrollback: {
        ...scrollback,
        gapAfterId: null,
        isAtStart: scrollback.isAtStart && latest.length === stored.length,
      },
    }
  }
  const shown = shownMessages({ stored: stored, scrollback: scrollback })
  const beyond =
    scrollback.gapAfterId === null
      ? []
      : latestMessages({ stored: stored, scrollback: scrollback }).slice(-MESSAGES_PER_PAGE)
  if (shown.length <= MAX_SHOWN) return { stored: [...shown, ...beyond], scrollback: scrollback }
  const at = shown.findLastIndex(({ bubble }) => messageIdOf(bubble) <= inView)
  const from = Math.min(Math.max(at - SHOWN_AFTER_TRIM / 2, 0), shown.length - SHOWN_AFTER_TRIM)
  const stays = shown.slice(from, from + SHOWN_AFTER_TRIM)
  const after = shown.slice(from + SHOWN_AFTER_TRIM)
  return {
    stored: [...stays, ...(scrollback.gapAfterId === null ? after.slice(-MESSAGES_PER_PAGE) : beyond)],
    scrollback: {
      ...scrollback,
      isAtStart: scrollback.isAtStart && from === 0,
      gapAfterId: after.length > 0 ? messageIdOf(stays.at(-1)?.bubble) : scrollback.gapAfterId,
    },
  }
}

/** The place of a message of the server in the order of all; 0 comes before every one. */
export function messageIdOf(bubble: { id: number | null } | undefined): number {
  return bubble?.id ?? 0
}
