import { foldName } from './turkish.ts'

export const QUERY_TOO_SHORT_TEXT = 'Aramak için en az 2 harf yaz.'

/** A word consists of letters, digits and combining marks. */
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const nonWordPattern = /[^\p{L}\p{N}\p{M}]+/gu
/** Letters that Turkish distinguishes: `öldü` is not `oldu`. The circumflex of `kâğıt` is optional. */
const turkishLetters = /[çğöşü]/u
/** Fast path: most words of Turkish messages need no further folding. */
const asciiOrTurkishWord = /^[a-zçğıöşü0-9]+$/u
const combiningMarks = /[\u0300-\u036F]+/gu

/** Words of a search beyond this are ignored, except the last one: each is a list that the index merges. */
const MAX_SEARCH_WORDS = 8

/** A search: whole words, and the prefix that is still being typed. */
export interface SearchQuery {
  words: readonly string[]
  /** The last word, matched as a prefix; null if all words match whole. */
  prefix: string | null
}

/** A segment of a text; `isMatch` if the search matches it. */
export interface HighlightSegment {
  text: string
  isMatch: boolean
}

/**
 * The form in which words are compared: folded as names are (`İ I ı i` alike, lower case, in any locale), without accents
 * except on Turkish letters.
 */
export function foldWord(text: string): string {
  if (asciiOrTurkishWord.test(text)) return text.replaceAll('ı', 'i')
  const lower = foldName(text)
  if (asciiOrTurkishWord.test(lower)) return lower
  const folded = [...lower].map((letter) =>
    turkishLetters.test(letter) ? letter : letter.normalize('NFD').replace(combiningMarks, '').normalize('NFC'),
  )
  return folded.join('').replace(nonWordPattern, '')
}

/** The distinct folded words of a text. */
export function extractWords(text: string): string[] {
  return [...new Set((text.match(wordPattern) ?? []).map(foldWord))].filter((word) => word !== '')
}

/** Parses typed text into a search; null without a word of at least two characters. */
export function parseSearchQuery(text: string): SearchQuery | null {
  const words = extractWords(text).slice(0, MAX_SEARCH_WORDS)
  if (!words.some(isSearchable)) return null
  const last = foldWord(text.match(wordPattern)?.at(-1) ?? '')
  if (!isSearchable(last)) return { words, prefix: null }
  return { words: words.filter((word) => word !== last), prefix: last }
}

function isSearchable(word: string): boolean {
  return [...word].length >= 2
}

/** Splits a text into segments with matches marked; joined, they are the text. */
export function highlightMatches(text: string, { words, prefix }: SearchQuery): HighlightSegment[] {
  const segments: HighlightSegment[] = []
  const add = (segmentText: string, isMatch: boolean): void => {
    const previous = segments.at(-1)
    if (previous && previous.isMatch === isMatch) previous.text += segmentText
    else if (segmentText) segments.push({ text: segmentText, isMatch })
  }
  let end = 0
  for (const { 0: original, index } of text.matchAll(wordPattern)) {
    const folded = foldWord(original)
    add(text.slice(end, index), false)
    add(original, words.includes(folded) || (prefix !== null && folded.startsWith(prefix)))
    end = index + original.length
  }
  add(text.slice(end), false)
  return segments
}
