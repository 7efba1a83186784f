import { KEPT_MESSAGES } from '../../shared/text/limits.ts'
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

/** More messages than this are not on the screen together: at the end that the reader turns away from, they go. */
export const MOST_SHOWN = 400
/** For what is said while the reader stays: cut more often, the end would go away from who is near it. */
const MOST_WAITED_FOR = 2 * MOST_SHOWN

/** Messages of the server, oldest first, and what of them is shown. */
export interface Kept {
  known: readonly Known[]
  past: Past
}

/** As a page begins: its messages are the latest, and fewer than 40 are all that there are. */
export function latestOnly(count: number): Past {
  return { isOpen: false, isOlder: false, upTo: null, isStart: count < KEPT_MESSAGES }
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
 * furthest from where the reader goes.
 */
export function keep({ known, past }: Kept, goes: 'up' | 'down' | 'nowhere'): Kept {
  if (!past.isOpen) {
    const latest = latestOf({ known, past }).slice(-KEPT_MESSAGES)
    return { known: latest, past: { ...past, upTo: null, isStart: past.isStart && latest.length === known.length } }
  }
  const shown = shownOf({ known, past })
  const beyond = past.upTo === null ? [] : latestOf({ known, past }).slice(-KEPT_MESSAGES)
  if (shown.length <= (goes === 'nowhere' ? MOST_WAITED_FOR : MOST_SHOWN)) return { known: [...shown, ...beyond], past }
  if (goes === 'down') {
    return { known: [...shown.slice(-MOST_SHOWN), ...beyond], past: { ...past, isStart: false } }
  }
  const stays = shown.slice(0, MOST_SHOWN)
  const gone = shown.slice(MOST_SHOWN)
  const upTo = idOf(stays.at(-1)?.bubble)
  return { known: [...stays, ...(past.upTo === null ? gone.slice(-KEPT_MESSAGES) : beyond)], past: { ...past, upTo } }
}

/** The place of a message of the server in the order of all; 0 comes before every one. */
export function idOf(bubble: { id: number | null } | undefined): number {
  return bubble?.id ?? 0
}
