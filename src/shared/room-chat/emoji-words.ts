import { foldName } from '../text/turkish.ts'

const marks = /[\u0300-\u036F]+/gu

/**
 * The folded form of words for emoji, in the data and in queries: as for names, without accents and the marks of Turkish
 * letters, so that `gozyasi` finds what `GÖZYAŞI` does. Other characters stay: `:)` and `heart_eyes` are looked for, too.
 */
export function foldEmojiWord(text: string): string {
  return foldName(text).normalize('NFD').replace(marks, '')
}
