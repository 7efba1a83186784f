import type { Bubble } from './state.ts'

/** What the reader has seen of a thread. */
export interface Reading {
  /** The highest message id that was there while the reader looked at the end of the thread. */
  seenId: number
  /** The line of new messages stands behind the bubble with this key; null when there is none. */
  lineAfter: string | null
}

/** Whoever opens a thread has seen what it opens with. */
export function startReading(bubbles: readonly Bubble[]): Reading {
  return { seenId: highestId(bubbles), lineAfter: null }
}

/** How many messages of others came since the reader last looked. */
export function countUnread(reading: Reading, bubbles: readonly Bubble[]): number {
  return bubbles.filter((bubble) => isUnread(reading, bubble)).length
}

/**
 * Reads on. `looking` is true while the end of the thread is in view and the tab in front. The line is put before the
 * first message that comes while the reader looks away, and stays there until the reader has caught up and looks
 * away again, or answers.
 */
export function readOn(reading: Reading, bubbles: readonly Bubble[], looking: boolean): Reading {
  if (looking) {
    const seenId = highestId(bubbles)
    return seenId > reading.seenId ? { ...reading, seenId } : reading
  }
  const first = bubbles.findIndex((bubble) => isUnread(reading, bubble))
  const before = bubbles[first - 1]
  if (!before) return reading
  return before.key === reading.lineAfter ? reading : { ...reading, lineAfter: before.key }
}

/** The reader has said something, so everything before it was read. */
export function answered(reading: Reading, bubbles: readonly Bubble[]): Reading {
  return { seenId: Math.max(reading.seenId, highestId(bubbles)), lineAfter: null }
}

function isUnread(reading: Reading, bubble: Bubble): boolean {
  return !bubble.isOwn && bubble.id !== null && bubble.id > reading.seenId
}

function highestId(bubbles: readonly Bubble[]): number {
  return bubbles.reduce((highest, { id }) => Math.max(highest, id ?? 0), 0)
}
