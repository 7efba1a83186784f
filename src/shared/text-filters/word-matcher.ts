import { type FoldedLetter, foldLetters, Gap } from './fold-letters.ts'

/** What the matcher needs of an entry of the filter. */
export interface MatchedPattern {
  /** A word, or words with spaces between them. */
  pattern: string
  /** `word`: the whole word; `stem`: a word that begins with it. */
  match: 'word' | 'stem'
  /** Words that do not match; one that ends with `*` stands for every word that begins with it. */
  exceptions: readonly string[]
}

/** A word of the text that an entry matches. */
export interface WordMatch<E> {
  entry: E
  /** The range of the matched word, with its suffixes, in UTF-16 units. */
  start: number
  end: number
}

/** The same letter once or several times in a row. */
interface Run {
  base: string
  count: number
  isMarked: boolean
}

/** A run of a text. */
interface ReadRun extends Run {
  /** The index of the letter after it. */
  end: number
  /** Whether signs stand between its letters. */
  hasSigns: boolean
}

/** A text as it is compared with the entries. */
interface Reading {
  letters: readonly FoldedLetter[]
  /** Whether signs between two letters are read over; then only matches that have some are returned. */
  skipsSigns: boolean
  /** The run from each letter on. */
  runsFrom: readonly ReadRun[]
}

interface CompiledEntry<E> {
  entry: E
  runs: readonly Run[]
  letterCount: number
  isStem: boolean
  exceptWords: ReadonlySet<string>
  exceptPrefixes: readonly string[]
}

interface Node<E> {
  children: Map<string, Node<E>>
  entries: CompiledEntry<E>[]
}

/** Separates the words of a pattern. */
const SPACE = ' '
/** Shorter patterns do not match across signs: `a.m.` is an abbreviation. */
const MIN_LETTERS_ACROSS_SIGNS = 3
/** Letters of a word that are compared with exceptions. */
const MAX_EXCEPTION_LETTERS = 60
/** Letters that Turkish distinguishes from marked ones: a pattern with `o` does not match `ö`. */
const markable = /^[cgosu]$/
const signsBetweenLetters = { gaps: [Gap.none, Gap.sign] as readonly Gap[] }
const noGaps = { gaps: [Gap.none] as readonly Gap[] }

/** The letters of a pattern as keys of an entry: two patterns with the same key match the same words. */
export function patternKey(pattern: string): string {
  return runsOfPattern(pattern)
    .map(({ base, count, isMarked }) => `${isMarked ? base.toUpperCase() : base}`.repeat(count))
    .join('')
}

/** How many letters a pattern has. */
export function countPatternLetters(pattern: string): number {
  return foldLetters(pattern).length
}

/**
 * Matches the entries of a word filter. Compiled once for a list; a text is read from each of its words on, for at most as
 * many letters as the longest pattern has, so the time grows with the length of the text.
 */
export class WordMatcher<E extends MatchedPattern> {
  private readonly root: Node<E> = createNode()

  constructor(entries: readonly E[]) {
    for (const entry of entries) this.add(entry)
  }

  /** The matches in the order of their beginnings; several entries may match one word. */
  findMatches(text: string): WordMatch<E>[] {
    const letters = foldLetters(text)
    const strict = { letters, skipsSigns: false, runsFrom: readRuns(letters, false) }
    const acrossSigns = { letters, skipsSigns: true, runsFrom: readRuns(letters, true) }
    return letters.flatMap((letter, start) => {
      if (letter.gap === Gap.none) return []
      return [...this.matchFrom(strict, start), ...this.matchFrom(acrossSigns, start)]
    })
  }

  private add(entry: E): void {
    const runs = runsOfPattern(entry.pattern)
    let node = this.root
    for (const { base } of runs) node = childOf(node, base)
    if (runs.length === 0) return
    const exceptions = entry.exceptions
      .map((typed) => ({ word: exactText(typed), isPrefix: typed.trim().endsWith('*') }))
      .filter(({ word }) => word !== '')
    node.entries.push({
      entry,
      runs,
      letterCount: runs.reduce((sum, { base, count }) => sum + (base === SPACE ? 0 : count), 0),
      isStem: entry.match === 'stem',
      exceptWords: new Set(exceptions.flatMap(({ word, isPrefix }) => (isPrefix ? [] : word))),
      exceptPrefixes: exceptions.flatMap(({ word, isPrefix }) => (isPrefix ? word : [])),
    })
  }

  private matchFrom({ letters, skipsSigns, runsFrom }: Reading, start: number): WordMatch<E>[] {
    const found: WordMatch<E>[] = []
    const runs: Run[] = []
    let node: Node<E> | undefined = this.root
    let [next, hasSkipped] = [start, false]
    const read = (run: Run): void => {
      node = node?.children.get(run.base)
      runs.push(run)
    }
    for (let run = runsFrom[start]; node && run; run = runsFrom[next]) {
      const between = next === start ? '' : betweenLetters(letters[next], skipsSigns)
      if (between === null) break
      if (between !== '') read({ base: between, count: 1, isMarked: false })
      hasSkipped ||= run.hasSigns || (skipsSigns && next > start && letters[next]?.gap === Gap.sign)
      read(run)
      next = run.end
      if (node && (!skipsSigns || hasSkipped))
        found.push(...matchesAt(node, runs, { letters, start, next, skipsSigns }))
    }
    return found
  }
}

/** What is read for the gap before a letter: nothing, a space, the letter that a sign stands for; null ends the reading. */
function betweenLetters(letter: FoldedLetter | undefined, skipsSigns: boolean): string | null {
  if (!letter || letter.gap === Gap.none) return ''
  if (!skipsSigns) return SPACE
  return letter.gap === Gap.sign ? letter.signLetter : null
}

interface Position {
  letters: readonly FoldedLetter[]
  start: number
  /** After the last letter that was read. */
  next: number
  skipsSigns: boolean
}

/** The entries that end at this node and match what was read. */
function matchesAt<E>(node: Node<E>, runs: readonly Run[], position: Position): WordMatch<E>[] {
  const { letters, start, next, skipsSigns } = position
  const isAtEnd = (letters[next]?.gap ?? Gap.wide) !== Gap.none
  const matching = node.entries.filter(
    (entry) =>
      (entry.isStem || isAtEnd) &&
      (!skipsSigns || entry.letterCount >= MIN_LETTERS_ACROSS_SIGNS) &&
      entry.runs.every((run, index) => fitsRun(run, runs[index])) &&
      !isException(entry, letters, start),
  )
  if (matching.length === 0) return []
  const end = endOfWord(letters, next)
  const range = { start: letters[start]?.start ?? 0, end: letters[end - 1]?.end ?? 0 }
  return matching.map(({ entry }) => ({ entry, ...range }))
}

/** More letters in a row than the pattern has are an exaggeration; fewer are another word. */
function fitsRun(pattern: Run, read: Run | undefined): boolean {
  if (!read || read.count < pattern.count) return false
  return pattern.isMarked || !read.isMarked || !markable.test(pattern.base)
}

/**
 * The run of equal letters from each letter on; it is marked when all of them are. One pass from the end, because a text may
 * be a single run that begins at each of its words.
 */
function readRuns(letters: readonly FoldedLetter[], skipsSigns: boolean): readonly ReadRun[] {
  const { gaps } = skipsSigns ? signsBetweenLetters : noGaps
  let following: ReadRun | undefined
  return letters
    .map((letter, index): ReadRun => ({ ...letter, count: 1, end: index + 1, hasSigns: false }))
    .reverse()
    .map((run) => {
      const after = letters[run.end]
      const rest = after && isSameRun(run, after, gaps) ? following : undefined
      following = rest
        ? {
            base: run.base,
            count: rest.count + 1,
            isMarked: run.isMarked && rest.isMarked,
            end: rest.end,
            hasSigns: rest.hasSigns || after?.gap === Gap.sign,
          }
        : run
      return following
    })
    .reverse()
}

function isSameRun({ base }: Run, after: FoldedLetter, gaps: readonly Gap[]): boolean {
  if (after.base !== base || !gaps.includes(after.gap)) return false
  return after.gap !== Gap.sign || after.signLetter === ''
}

function endOfWord(letters: readonly FoldedLetter[], from: number): number {
  let end = from
  while (letters[end]?.gap === Gap.none) end++
  return end
}

function isException<E>(
  { exceptWords, exceptPrefixes }: CompiledEntry<E>,
  letters: readonly FoldedLetter[],
  start: number,
): boolean {
  if (exceptWords.size === 0 && exceptPrefixes.length === 0) return false
  const end = Math.min(endOfWord(letters, start + 1), start + MAX_EXCEPTION_LETTERS)
  const word = letters
    .slice(start, end)
    .map(({ exact }) => exact)
    .join('')
  return exceptWords.has(word) || exceptPrefixes.some((prefix) => word.startsWith(prefix))
}

function exactText(text: string): string {
  return foldLetters(text)
    .map(({ exact }) => exact)
    .join('')
}

/** The runs of a pattern; a gap between its words is a run of one space. */
function runsOfPattern(pattern: string): Run[] {
  const runs: Run[] = []
  for (const { base, isMarked, gap } of foldLetters(pattern)) {
    const last = runs.at(-1)
    if (last && gap !== Gap.none) runs.push({ base: SPACE, count: 1, isMarked: false })
    else if (last && last.base === base) {
      last.count++
      last.isMarked ||= isMarked
      continue
    }
    runs.push({ base, count: 1, isMarked })
  }
  return runs
}

function childOf<E>(node: Node<E>, base: string): Node<E> {
  const child = node.children.get(base) ?? createNode<E>()
  node.children.set(base, child)
  return child
}

function createNode<E>(): Node<E> {
  return { children: new Map(), entries: [] }
}
