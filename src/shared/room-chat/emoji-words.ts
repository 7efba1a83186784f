import { foldName } from '../text/turkish.ts'

const marks = /[\u0300-\u036F]+/gu

/**
 * The form in which words for emoji are kept and looked for: as names are, without accents and the marks of Turkish
 * letters, so that `gozyasi` finds what `GÖZYAŞI` does. What is no letter stays: `:)` and `heart_eyes` are looked for, too.
 */
export function foldEmojiWord(text: string): string {
  return foldName(text).normalize('NFD').replace(marks, '')
}
