import { foldName } from './turkish.ts'

/** A word is letters, digits and the marks upon them; all else parts words. */
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const nonWordPattern = /[^\p{L}\p{N}\p{M}]+/gu
/** Letters that Turkish tells apart: `öldü` is not `oldu`. The hat of `kâğıt` is written or left out as one likes. */
const turkishLetters = /[çğöşü]/u
/** Nearly every word of a Turkish message, for which the rest of the folding has nothing to do. */
const asciiOrTurkishWord = /^[a-zçğıöşü0-9]+$/u
const combiningMarks = /[\u0300-\u036F]+/gu

/** What a search asks for: whole words, and the one that is still being written. */
export interface SearchQuery {
  words: readonly string[]
  /** What the last word begins with; null where it is to be whole. */
  prefix: string | null
}

/** A piece of a text; `isFound` where a search asks for it. */
export interface HighlightSegment {
  text: string
  isMatch: boolean
}

/**
 * The form in which words are compared: as names are (`İ I ı i` alike, no upper case, whatever the locale), with the
 * letters of Turkish kept and the accents of all other Latin ones left out.
 */
export function foldWord(text: string): string {
  if (asciiOrTurkishWord.test(text)) return text.replaceAll('ı', 'i')
  const folded = [...foldName(text)].map((letter) =>
    turkishLetters.test(letter) ? letter : letter.normalize('NFD').replace(combiningMarks, '').normalize('NFC'),
  )
  return folded.join('').replace(nonWordPattern, '')
}

/** The words of a text, folded, each once. */
export function extractWords(text: string): string[] {
  return [...new Set((text.match(wordPattern) ?? []).map(foldWord))].filter((one) => one !== '')
}

/** What somebody asks for who has typed this; null when there are not two letters in a row to search by. */
export function parseSearchQuery(text: string): SearchQuery | null {
  const words = extractWords(text)
  if (!words.some(isSearchable)) return null
  const last = foldWord(text.match(wordPattern)?.at(-1) ?? '')
  if (!isSearchable(last)) return { words, prefix: null }
  return { words: words.filter((one) => one !== last), prefix: last }
}

function isSearchable(one: string): boolean {
  return [...one].length >= 2
}

/** The text in pieces, those that were asked for marked. Joined, they are the text again. */
export function highlightMatches(text: string, { words, prefix }: SearchQuery): HighlightSegment[] {
  const pieces: HighlightSegment[] = []
  const add = (piece: string, isFound: boolean): void => {
    const before = pieces.at(-1)
    if (before && before.isMatch === isFound) before.text += piece
    else if (piece) pieces.push({ text: piece, isMatch: isFound })
  }
  let end = 0
  for (const { 0: written, index } of text.matchAll(wordPattern)) {
    const folded = foldWord(written)
    add(text.slice(end, index), false)
    add(written, words.includes(folded) || (prefix !== null && folded.startsWith(prefix)))
    end = index + written.length
  }
  add(text.slice(end), false)
  return pieces
}
