import type { UserId } from '../../../shared/protocol/ids.ts'
import { foldName } from '../../../shared/text/turkish.ts'

/** As many names are offered at once. */
export const MAX_SUGGESTIONS = 6

/** The mention that is being written: where its @ stands and what follows it so far. */
export interface MentionQuery {
  start: number
  query: string
}

// The same places in which an @ mentions somebody, in brackets or not (shared/text/rich-text.ts).
const MENTION_AT_END = /(?<![\p{L}\p{N}_.@/\]-])@(?:\[\{?)?([\p{L}\p{N}_.-]{0,20})$/u

/** The mention that ends at the caret, or null. */
export function mentionAtCaret(text: string, caret: number): MentionQuery | null {
  const match = MENTION_AT_END.exec(text.slice(0, caret))
  return match ? { start: match.index, query: match[1] ?? '' } : null
}

/** Whose names fit, letters folded: those that begin so before those in which it stands elsewhere. */
export function matchNames<P extends { id: UserId; username: string }>(
  people: readonly P[],
  query: string,
  viewerId: UserId,
): P[] {
  const folded = foldName(query)
  const placed = people
    .filter(({ id }) => id !== viewerId)
    .map((person) => ({ person, at: foldName(person.username).indexOf(folded) }))
    .filter(({ at }) => at >= 0)
  const begins = placed.filter(({ at }) => at === 0)
  const others = placed.filter(({ at }) => at > 0)
  return [...begins, ...others].slice(0, MAX_SUGGESTIONS).map(({ person }) => person)
}
