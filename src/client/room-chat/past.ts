import { MESSAGES_PER_PAGE } from '../../shared/text/limits.ts'
import type { Known } from './bubbles.ts'

/** What a thread shows beside the latest messages of its room. */
export interface Past {
  /** The reader has gone up: messages older than the latest 40 stay on the screen. */
  isOpen: boolean
  /** Messages from before the latest 40 are shown, or on their way: they are read, not announced. */
  isOlder: boolean
  /** The newest message shown, where those between it and the latest ones are not loaded; null where none is missing. */
  upTo: number | null
  /** Nothing was said in the room before the first message that is loaded. */
  isStart: boolean
}

/** More messages than this are not on the screen together. */
export const MOST_SHOWN = 800
/** Where there are more, so many stay: those around what the reader has in view. */
export const KEPT_AROUND = 400

/** Messages of the server, oldest first, and what of them is shown. */
export interface Kept {
  known: readonly Known[]
  past: Past
}

/** As a page begins: its messages are the latest, and fewer than 40 are all that there are. */
export function latestOnly(count: number): Past {
  return { isOpen: false, isOlder: false, upTo: null, isStart: count < MESSAGES_PER_PAGE }
}

/** What is shown of the messages. */
export function shownOf({ known, past }: Kept): readonly Known[] {
  const { upTo } = past
  return upTo === null ? known : known.filter(({ bubble }) => idOf(bubble) <= upTo)
}

/** The messages that end with the latest one: all that are shown, or those beyond the gap. */
export function latestOf({ known, past }: Kept): readonly Known[] {
  const { upTo } = past
  return upTo === null ? known : known.filter(({ bubble }) => idOf(bubble) > upTo)
}

/**
 * Lets go of what is too much: everything but the latest 40 where the reader is with them, and otherwise what is
 * furthest from the message that the reader has in view.
 */
export function keep({ known, past }: Kept, inView: number): Kept {
  if (!past.isOpen) {
    const latest = latestOf({ known, past }).slice(-MESSAGES_PER_PAGE)
    return { known: latest, past: { ...past, upTo: null, isStart: past.isStart && latest.length === known.length } }
  }
  const shown = shownOf({ known, past })
  const beyond = past.upTo === null ? [] : latestOf({ known, past }).slice(-MESSAGES_PER_PAGE)
  if (shown.length <= MOST_SHOWN) return { known: [...shown, ...beyond], past }
  const at = shown.findLastIndex(({ bubble }) => idOf(bubble) <= inView)
  const from = Math.min(Math.max(at - KEPT_AROUND / 2, 0), shown.length - KEPT_AROUND)
  const stays = shown.slice(from, from + KEPT_AROUND)
  const after = shown.slice(from + KEPT_AROUND)
  return {
    known: [...stays, ...(past.upTo === null ? after.slice(-MESSAGES_PER_PAGE) : beyond)],
    past: {
      ...past,
      isStart: past.isStart && from === 0,
      upTo: after.length > 0 ? idOf(stays.at(-1)?.bubble) : past.upTo,
    },
  }
}

/** The place of a message of the server in the order of all; 0 comes before every one. */
export function idOf(bubble: { id: number | null } | undefined): number {
  return bubble?.id ?? 0
}
