import type { UserId } from '../../../../shared/protocol/ids.ts'
import { foldName } from '../../../../shared/text/turkish.ts'

/** The maximum of names offered at once. */
const MAX_SUGGESTIONS = 6

/** The mention at the caret: the index of its @ and the text after it. */
export interface MentionQuery {
  start: number
  query: string
}

// The same rule for an @ as in a sent message, in brackets or not (shared/text/rich-text.ts).
const MENTION_AT_END = /(?<![\p{L}\p{N}_.@/\]-])@(?:\[\{?)?([\p{L}\p{N}_.-]{0,20})$/u

/** The mention that ends at the caret, or null. */
export function mentionAtCaret(text: string, caret: number): MentionQuery | null {
  const match = MENTION_AT_END.exec(text.slice(0, caret))
  return match ? { start: match.index, query: match[1] ?? '' } : null
}

/** Users whose folded names match: prefix matches first, then matches inside the name. */
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
  const innerMatches = placed.filter(({ at }) => at > 0)
  return [...begins, ...innerMatches].slice(0, MAX_SUGGESTIONS).map(({ person }) => person)
}
