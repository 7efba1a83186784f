import { normaliseIban } from './iban.ts'

/** TR and 24 digits (specification 2, point 5). */
export const IBAN_LENGTH = 26
const PREFIX = 'TR'
const GROUP = 4

/** What the field makes of an input: normalised, with one TR in front, cut to 26 characters (specification 2, point 5). */
export function typedIban(text: string): string {
  let rest = normaliseIban(text)
  // TR is typed or pasted beside the one that the field has, and part of that may be deleted.
  while (rest.includes(PREFIX)) rest = rest.replaceAll(PREFIX, '')
  return `${PREFIX}${rest.replace(/^[TR]+/, '')}`.slice(0, IBAN_LENGTH)
}

/** An edit of the field, as the browser reports it. */
export interface IbanEdit {
  /** The normalised IBAN before the edit. */
  previous: string
  /** The text of the field after the edit, and where its caret is. */
  text: string
  caret: number
  /** `backward` and `forward`: one character was deleted. */
  deleted: 'backward' | 'forward' | null
}

/** The normalised IBAN after an edit, and the caret's place in its groups. */
export function editIban({ previous, text, caret, deleted }: IbanEdit): { iban: string; caret: number } {
  const at = typedIban(text.slice(0, caret)).length
  const iban = typedIban(text)
  // Only the space between two groups was deleted: the character beyond it is meant.
  if (deleted !== null && normaliseIban(text) === previous) {
    const from = Math.max(deleted === 'backward' ? at - 1 : at, PREFIX.length)
    const without = typedIban(iban.slice(0, from) + iban.slice(deleted === 'backward' ? at : at + 1))
    return { iban: without, caret: placeInGroups(without, from, deleted) }
  }
  return { iban, caret: placeInGroups(iban, at, deleted) }
}

/** Between two groups, the caret is after the space, so that typing goes on there; after a deletion before it. */
function placeInGroups(iban: string, at: number, deleted: IbanEdit['deleted']): number {
  const index = Math.min(at, iban.length)
  const isBeforeSpace = deleted === 'backward' || index === iban.length
  return index + Math.floor((isBeforeSpace ? Math.max(index - 1, 0) : index) / GROUP)
}
