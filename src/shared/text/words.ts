import { foldName } from './turkish.ts'

/** A word is letters, digits and the marks upon them; all else parts words. */
const word = /[\p{L}\p{N}\p{M}]+/gu
const noWord = /[^\p{L}\p{N}\p{M}]+/gu
/** Letters that Turkish tells apart: `öldü` is not `oldu`. The hat of `kâğıt` is written or left out as one likes. */
const turkish = /[çğöşü]/u
/** Nearly every word of a Turkish message, for which the rest of the folding has nothing to do. */
const plain = /^[a-zçğıöşü0-9]+$/u
const latinMarks = /[\u0300-\u036F]+/gu

/** What a search asks for: whole words, and the one that is still being written. */
export interface Asked {
  words: readonly string[]
  /** What the last word begins with; null where it is to be whole. */
  beginning: string | null
}

/** A piece of a text; `isFound` where a search asks for it. */
export interface MarkedPiece {
  text: string
  isFound: boolean
}

/**
 * The form in which words are compared: as names are (`İ I ı i` alike, no upper case, whatever the locale), with the
 * letters of Turkish kept and the accents of all other Latin ones left out.
 */
export function foldWord(text: string): string {
  if (plain.test(text)) return text.replaceAll('ı', 'i')
  const folded = [...foldName(text)].map((letter) =>
    turkish.test(letter) ? letter : letter.normalize('NFD').replace(latinMarks, '').normalize('NFC'),
  )
  return folded.join('').replace(noWord, '')
}

/** The words of a text, folded, each once. */
export function wordsOf(text: string): string[] {
  return [...new Set((text.match(word) ?? []).map(foldWord))].filter((one) => one !== '')
}

/** What somebody asks for who has typed this; null when there are not two letters in a row to search by. */
export function askedFor(text: string): Asked | null {
  const words = wordsOf(text)
  if (!words.some(isLongEnough)) return null
  const last = foldWord(text.match(word)?.at(-1) ?? '')
  if (!isLongEnough(last)) return { words, beginning: null }
  return { words: words.filter((one) => one !== last), beginning: last }
}

function isLongEnough(one: string): boolean {
  return [...one].length >= 2
}

/** The text in pieces, those that were asked for marked. Joined, they are the text again. */
export function markFound(text: string, { words, beginning }: Asked): MarkedPiece[] {
  const pieces: MarkedPiece[] = []
  const add = (piece: string, isFound: boolean): void => {
    const before = pieces.at(-1)
    if (before && before.isFound === isFound) before.text += piece
    else if (piece) pieces.push({ text: piece, isFound })
  }
  let end = 0
  for (const { 0: written, index } of text.matchAll(word)) {
    const folded = foldWord(written)
    add(text.slice(end, index), false)
    add(written, words.includes(folded) || (beginning !== null && folded.startsWith(beginning)))
    end = index + written.length
  }
  add(text.slice(end), false)
  return pieces
}
