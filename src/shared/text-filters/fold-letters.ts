import { letterBySign, letterOfPicture, toLatinLetter } from './look-alikes.ts'

/** What stands between a letter and the one before it. */
export const Gap = {
  /** Nothing visible. */
  none: 0,
  /** One or two signs without white space, as in `k.e-l`. */
  sign: 1,
  /** White space, more signs, or the beginning of the text. */
  wide: 2,
} as const
export type Gap = (typeof Gap)[keyof typeof Gap]

/** A letter or digit of a text. */
export interface FoldedLetter {
  /** The Latin letter, without marks; `ı` is `i`. */
  base: string
  /** As typed, in Turkish lower case, without marks that Turkish does not have. */
  exact: string
  /** One of `ç ğ ö ş ü`. */
  isMarked: boolean
  /** The range in the text, in UTF-16 units. */
  start: number
  end: number
  /** What stands before it. */
  gap: Gap
  /** The letter that the one sign of the gap stands for; empty without one. */
  signLetter: string
}

type Piece = Pick<FoldedLetter, 'base' | 'exact' | 'isMarked'>

/** A character with its combining marks. */
const clusters = /\P{M}\p{M}*|\p{M}+/gu
const marks = /\p{M}+/gu
const letterOrDigit = /[\p{L}\p{N}]/u
const letter = /\p{L}/u
const digit = /^\p{Nd}$/u
/** Some of them are letters by their category, such as the Hangul fillers. */
const ignorable = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/u
const baseOfMarked: ReadonlyMap<string, string> = new Map([
  ['ç', 'c'],
  ['ğ', 'g'],
  ['ö', 'o'],
  ['ş', 's'],
  ['ü', 'u'],
])

/** Pieces of single characters, of which texts use few. */
const pieceCache = new Map<string, readonly Piece[]>()
const MAX_CACHED_PIECES = 4_096

const MAX_SIGN_CHARACTERS = 2
/** Characters between two letters that are typed one by one. */
const MAX_SPACED_CHARACTERS = 3
const MIN_SPACED_LETTERS = 3

/**
 * The letters and digits of a text as the word filter compares them: compatibility forms, look-alikes and accents are
 * folded, invisible characters dropped. Single letters in a row (`k.e l-i`) are joined. Linear in the text's length.
 */
export function foldLetters(text: string): FoldedLetter[] {
  const letters: FoldedLetter[] = []
  let gap: string[] | null = null
  let hasSpace = true
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const pieces = piecesOf(cluster)
    if (pieces.length === 0) {
      if (ignorable.test(cluster)) continue
      gap ??= []
      if (gap.length <= MAX_SPACED_CHARACTERS) gap.push(cluster)
      hasSpace ||= /\s/u.test(cluster)
    }
    for (const piece of pieces) {
      const kind = letters.length === 0 ? Gap.wide : kindOfGap(gap, hasSpace)
      const signLetter = kind === Gap.sign && gap?.length === 1 ? (letterBySign.get(gap[0] ?? '') ?? '') : ''
      letters.push({ ...piece, start: index, end: index + cluster.length, gap: kind, signLetter })
      gap = null
      hasSpace = false
    }
  }
  joinSpacedLetters(text, letters)
  const joined = letters.flatMap(withSignLetter)
  foldDigits(joined)
  return joined
}

/** A letter of a joined word, after the one that the sign before it stands for. */
function withSignLetter(letter: FoldedLetter): FoldedLetter[] {
  const { gap, signLetter, start } = letter
  if (gap !== Gap.none || signLetter === '') return [letter]
  const sign = { base: signLetter, exact: signLetter, isMarked: false, start, end: start, gap, signLetter: '' }
  return [sign, { ...letter, signLetter: '' }]
}

function kindOfGap(gap: readonly string[] | null, hasSpace: boolean): Gap {
  if (gap === null) return Gap.none
  return hasSpace || gap.length > MAX_SIGN_CHARACTERS ? Gap.wide : Gap.sign
}

/** Several for a ligature, none for what is no letter or digit. */
function piecesOf(cluster: string): readonly Piece[] {
  const cached = pieceCache.get(cluster)
  if (cached) return cached
  const pieces = foldCluster(cluster)
  if (cluster.length === 1 && pieceCache.size < MAX_CACHED_PIECES) pieceCache.set(cluster, pieces)
  return pieces
}

function foldCluster(cluster: string): Piece[] {
  const picture = letterOfPicture(cluster)
  if (picture !== null) return [{ base: picture, exact: picture, isMarked: false }]
  const lower = toTurkishLower(cluster.slice(0, 8).normalize('NFKC'))
  const marked = baseOfMarked.get(lower)
  if (marked !== undefined) return [{ base: marked, exact: lower, isMarked: true }]
  const plain = lower.normalize('NFKD').replace(marks, '').toLowerCase()
  return [...plain]
    .filter((character) => letterOrDigit.test(character) && !ignorable.test(character))
    .map((exact) => ({
      base: digit.test(exact) ? exact : exact === 'ı' ? 'i' : toLatinLetter(exact),
      exact,
      isMarked: false,
    }))
}

/** Lower case by Turkish rules in any locale. */
function toTurkishLower(text: string): string {
  return text.replaceAll('I', 'ı').replaceAll('İ', 'i').toLowerCase()
}

/** Removes the gaps between letters that are typed one by one, three or more in a row. */
function joinSpacedLetters(text: string, letters: FoldedLetter[]): void {
  let start = 0
  const isAlone = (i: number): boolean =>
    (letters[i]?.gap ?? Gap.wide) !== Gap.none && (letters[i + 1]?.gap ?? Gap.wide) !== Gap.none
  const isClose = (i: number): boolean => {
    const between = text.slice(letters[i - 1]?.end, letters[i]?.start)
    return [...between].length <= MAX_SPACED_CHARACTERS && !between.includes('\n')
  }
  for (let i = 0; i <= letters.length; i++) {
    if (i < letters.length && isAlone(i) && (i === start || isClose(i))) continue
    if (i - start >= MIN_SPACED_LETTERS) join(letters, start, i)
    start = i < letters.length && isAlone(i) ? i : i + 1
  }
}

function join(letters: FoldedLetter[], start: number, end: number): void {
  const letterCount = letters.slice(start, end).filter(({ exact }) => letter.test(exact)).length
  if (letterCount < 2) return
  for (const joined of letters.slice(start + 1, end)) joined.gap = Gap.none
}

/** Digits in a word with letters stand for the letters that they look like; a number stays a number. */
function foldDigits(letters: FoldedLetter[]): void {
  let start = 0
  for (let i = 1; i <= letters.length; i++) {
    if (i < letters.length && letters[i]?.gap === Gap.none) continue
    const word = letters.slice(start, i)
    if (word.some(({ base }) => digit.test(base)) && word.some(({ exact }) => letter.test(exact)))
      for (const each of word) each.base = toLatinLetter(each.base)
    start = i
  }
}
