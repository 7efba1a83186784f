import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyFilter, type FilteringEntry } from './apply-filter.ts'
import { type FoldedLetter, foldLetters, Gap } from './fold-letters.ts'
import { patternKey, WordMatcher } from './word-matcher.ts'

const entry = (pattern: string, more: Partial<FilteringEntry> = {}): FilteringEntry => ({
  pattern,
  match: 'stem',
  exceptions: [],
  action: 'replace',
  replacement: null,
  ...more,
})
const matchedWords = (entries: FilteringEntry[], text: string): string[] =>
  new WordMatcher(entries).findMatches(text).map(({ start, end }) => text.slice(start, end))
const isMatched = (entries: FilteringEntry[], text: string): boolean => matchedWords(entries, text).length > 0

describe('[FILTER-01] folding', () => {
  it.each([
    ['salak', 'SALAK'],
    ['salak', 'ｓａｌａｋ'],
    ['salak', '𝐬𝐚𝐥𝐚𝐤'],
    ['salak', 'ⓢⓐⓛⓐⓚ'],
    ['salak', '🅂🄰🄻🄰🄺'],
    ['salak', '🇸🇦🇱🇦🇰'],
    ['salak', 's\u200Ba\u200Cl\u00ADa\u2060k'],
    ['salak', 'sálàk'],
    ['salak', 's̶a̶l̶a̶k̶'],
    ['salak', 'ѕаlаk'],
    ['salak', 's4l4k'],
    ['salak', 's@l@k'],
    ['salak', '5alak'],
    ['salak', 'saaaalaaak'],
    ['salak', 's.a.l.a.k'],
    ['salak', 's a l a k'],
    ['salak', 's-a_l*a.k'],
    ['salak', 's . a . l . a . k'],
    ['salak', 'sa.lak'],
    ['salak', 'sa-l-ak'],
    ['salak', 'sal🙂ak'],
    ['dingil', 'DINGIL'],
    ['dingil', 'DİNGİL'],
    ['dingil', 'dıngıl'],
    ['dingil', 'd!ng!l'],
    ['dingil', 'd1ng1l'],
    ['öküz', 'okuz'],
    ['öküz', 'ÖKÜZ'],
    ['öküz', 'o\u0308ku\u0308z'],
    ['şaşkın', 'saskin'],
    ['sapşal', 'sap$al'],
    ['salak', 'ꜱᴀʟᴀᴋ'],
    ['salak', 'sałak'],
    ['salak', 'ꓢꓮꓡꓮꓗ'],
    ['salak', 'sal\u3164ak'],
    ['salak', 'sal\u115F\u1160\uFFA0ak'],
    ['salak', 'sal\uFFF9\uFFFA\uFFFBak'],
    ['dingil', 'đɪŋɢɨʟ'],
  ])('finds %s in %s', (pattern, text) => {
    expect(isMatched([entry(pattern)], text)).toBe(true)
    expect(isMatched([entry(pattern)], `ya ${text} sen`)).toBe(true)
    expect(isMatched([entry(pattern, { match: 'word' })], `ya ${text}, sen`)).toBe(true)
  })

  it.each([
    ['bok', 'bök'],
    ['sok', 'şok oldum'],
    ['oldu', 'öldü'],
    ['anne', 'ane'],
    ['salak', 'sa lak'],
    ['salak', 'sa\n\nlak'],
    ['salak', 'kıssalak'],
    ['salak', 'sala... kim'],
    ['am', 'saat 9 a.m. oldu'],
    ['31', '3 1'],
    ['31', 'e1'],
  ])('does not find %s in %s', (pattern, text) => {
    expect(isMatched([entry(pattern)], text)).toBe(false)
  })

  it('[FILTER-02] matches a stem at the beginning of a word with its suffixes, and a word alone', () => {
    const text = 'mallar maldan kamal mal, malımı'
    expect(matchedWords([entry('mal')], text)).toEqual(['mallar', 'maldan', 'mal', 'malımı'])
    expect(matchedWords([entry('mal', { match: 'word' })], text)).toEqual(['mal'])
    expect(matchedWords([entry('geri zekalı', { match: 'stem' })], 'Geri  zekâlılar, gerizekalı')).toEqual([
      'Geri  zekâlılar',
    ])
    expect(matchedWords([entry('31')], '31 tane, 315, x31')).toEqual(['31', '315'])
  })

  it('[FILTER-03] leaves the exceptions of an entry alone, as they are typed', () => {
    const entries = [entry('sik', { exceptions: ['sık', 'sıkı*', 'siklet', 'sikke*'] })]
    for (const text of ['sık sık', 'Sıkıntı', 'SIKINTI', 'ağır siklet', 'sikkeler'])
      expect([text, isMatched(entries, text)]).toEqual([text, false])
    for (const text of ['sik', 'sikletsiz', 'SİK', 's.i.k', 'sıktı', 'sıк'])
      expect([text, isMatched(entries, text)]).toEqual([text, true])
    // One without letters is nothing, and does not change those after it.
    const afterEmpty = [entry('sik', { exceptions: ['*', 'sık', '!', 'sıkı*'] })]
    for (const [text, isFound] of [
      ['sık', false],
      ['sıktı', true],
      ['sıkıntı', false],
    ] as const)
      expect([text, isMatched(afterEmpty, text)]).toEqual([text, isFound])
  })
})

describe('[FILTER-04] matching', () => {
  /** Few letters, so that random patterns and texts meet. */
  const alphabet = [...'aabbciıoöşs', ' ', '.', 'A', 'I', 'İ', '1', '@', '-', '\u200B']
  const word = (max: number) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: max })
  const randomEntry = fc
    .record({
      pattern: word(5),
      match: fc.constantFrom('word' as const, 'stem' as const),
      exceptions: fc.array(word(4), { maxLength: 2 }),
    })
    .map(({ pattern, ...more }) => entry(pattern, more))

  it('equals a comparison of every word with every entry', () => {
    fc.assert(
      fc.property(fc.array(randomEntry, { maxLength: 8 }), word(40), (entries, text) => {
        const found = new WordMatcher(entries).findMatches(text).map((match) => describeMatch(entries, match))
        expect(found.toSorted()).toEqual(naiveMatches(entries, text).toSorted())
      }),
      { numRuns: 3_000 },
    )
  })

  it('reads every letter of a hostile text at most as often as a pattern is long', () => {
    const pattern = `${'ab'.repeat(19)}x`
    const matcher = new WordMatcher(Array.from({ length: 500 }, (_, i) => entry(`${pattern}${i}`)))
    for (const unit of ['ab', 'ab.', 'a.b.', 'a b ', 'a', 'a.', '\u200B', 'a\u0301\u0301', '.', '@', '\n', 'ﷺ'])
      expect(countReads(matcher, unit.repeat(2_000))).toBeLessThan(unit.repeat(2_000).length * 20 * 50)
  })

  it('reads a run that begins at each word of a text once', () => {
    const matcher = new WordMatcher([entry('salak')])
    for (const unit of ['aa.', 'aa-', 'aa'])
      expect(countComparisons(matcher, unit.repeat(2_000))).toBeLessThan(unit.repeat(2_000).length * 10)
  })

  it('gives patterns that match the same words the same key', () => {
    expect(patternKey('SALAK')).toBe(patternKey('ｓalak'))
    expect(patternKey('Sık')).toBe(patternKey('sik'))
    expect(patternKey('öl')).not.toBe(patternKey('ol'))
    expect(patternKey('ane')).not.toBe(patternKey('anne'))
  })
})

describe('applying the filter', () => {
  const apply = (entries: FilteringEntry[], text: string, maxLength = 2_000) =>
    applyFilter(new WordMatcher(entries), text, maxLength)

  it('[FILTER-06] replaces the longest of overlapping words by its replacement or by stars', () => {
    expect(apply([entry('salak'), entry('mal', { replacement: 'iyi' })], 'Sen salaksın, mal!').text).toBe(
      'Sen ********, iyi!',
    )
    expect(apply([entry('geri'), entry('geri zekalı')], 'ne geri zekalı').text).toBe('ne ***********')
  })

  it('[FILTER-06] keeps the text within its limit', () => {
    const entries = [entry('mal', { replacement: 'çok uzun bir söz' })]
    expect(apply(entries, 'mal mal', 7).text).toBe('*** ***')
    expect(apply(entries, 'mal', 20).text).toBe('çok uzun bir söz')
  })

  it('[FILTER-05] holds the whole text back when one entry says so, and lists its hits by severity', () => {
    const entries = [entry('mal', { action: 'alert' }), entry('salak'), entry('bomba', { action: 'holdBack' })]
    const { isHeldBack, text, hits } = apply(entries, 'mal salak bombacı')
    expect([isHeldBack, text, hits.map(({ word }) => word)]).toEqual([
      true,
      'mal salak bombacı',
      ['bombacı', 'salak', 'mal'],
    ])
  })
})

/** Counts how often the matcher looks a letter up. */
function countReads(matcher: WordMatcher<FilteringEntry>, text: string): number {
  let reads = 0
  const { get } = Map.prototype
  Map.prototype.get = function count(this: Map<unknown, unknown>, key: unknown) {
    reads++
    return get.call(this, key)
  }
  try {
    matcher.findMatches(text)
  } finally {
    Map.prototype.get = get
  }
  return reads
}

/** Counts how often the matcher compares the gap before a letter. */
function countComparisons(matcher: WordMatcher<FilteringEntry>, text: string): number {
  let comparisons = 0
  const { includes } = Array.prototype
  Array.prototype.includes = function count(this: unknown[], searched: unknown) {
    comparisons++
    return includes.call(this, searched)
  }
  try {
    matcher.findMatches(text)
  } finally {
    Array.prototype.includes = includes
  }
  return comparisons
}

function describeMatch(
  entries: readonly FilteringEntry[],
  { entry: found, start, end }: { entry: FilteringEntry; start: number; end: number },
): string {
  return `${entries.indexOf(found)} ${start}-${end}`
}

/** Every way to read the text from a word on, letter by letter, compared with every pattern. */
function naiveMatches(entries: readonly FilteringEntry[], text: string): string[] {
  const letters = foldLetters(text)
  const found: string[] = []
  for (const skipsSigns of [false, true])
    for (let start = 0; start < letters.length; start++)
      for (let end = start + 1; end <= letters.length; end++)
        if (letters[start]?.gap !== Gap.none)
          found.push(...matchesOfRange(entries, letters, { start, end, skipsSigns }))
  return found
}

function matchesOfRange(
  entries: readonly FilteringEntry[],
  letters: readonly FoldedLetter[],
  { start, end, skipsSigns }: { start: number; end: number; skipsSigns: boolean },
): string[] {
  const range = letters.slice(start, end)
  const inner = range.slice(1)
  if (skipsSigns && (inner.some(({ gap }) => gap === Gap.wide) || inner.every(({ gap }) => gap === Gap.none))) return []
  // A run that goes on is not at its end yet.
  const after = letters[end]
  const isSignOver = skipsSigns && after?.gap === Gap.sign && after.signLetter === ''
  if (after && after.base === range.at(-1)?.base && (after.gap === Gap.none || isSignOver)) return []
  const read = range.flatMap((letter, i) => {
    const before = i === 0 || letter.gap === Gap.none ? '' : skipsSigns ? letter.signLetter : ' '
    return before
      ? [
          { base: before, isMarked: false, isSign: true },
          { ...letter, isSign: false },
        ]
      : [{ ...letter, isSign: false }]
  })
  let wordEnd = end
  while (letters[wordEnd]?.gap === Gap.none) wordEnd++
  const firstWord = letters.slice(start).findIndex((letter, i) => i > 0 && letter.gap !== Gap.none)
  const exact = letters
    .slice(start, firstWord < 0 ? undefined : start + firstWord)
    .map((letter) => letter.exact)
    .join('')
  return entries.flatMap((each, index) => {
    if (each.match === 'word' && after?.gap === Gap.none) return []
    const pattern = foldLetters(each.pattern)
    if (pattern.length === 0 || (skipsSigns && pattern.length < 3)) return []
    const wanted = pattern.flatMap((letter, i) => (i > 0 && letter.gap !== Gap.none ? [' ', letter] : [letter]))
    if (!isSameRunByRun(wanted, read)) return []
    const excepted = each.exceptions.some((exception) => {
      const typed = foldLetters(exception)
        .map((letter) => letter.exact)
        .join('')
      if (typed === '') return false
      return exception.trim().endsWith('*') ? exact.startsWith(typed) : exact === typed
    })
    return excepted ? [] : [`${index} ${range[0]?.start}-${letters[wordEnd - 1]?.end}`]
  })
}

type ReadLetter = { base: string; isMarked: boolean; isSign?: boolean }

function isSameRunByRun(wanted: readonly (string | FoldedLetter)[], read: readonly ReadLetter[]): boolean {
  const group = (list: readonly ReadLetter[]): ReadLetter[][] => {
    const groups: ReadLetter[][] = []
    for (const letter of list) {
      const last = groups.at(-1)
      if (last && last[0]?.base === letter.base && !last[0].isSign && !letter.isSign) last.push(letter)
      else groups.push([letter])
    }
    return groups
  }
  const space: ReadLetter = { base: ' ', isMarked: false, isSign: true }
  const patterns = group(wanted.map((each) => (typeof each === 'string' ? space : each)))
  const texts = group(read)
  if (patterns.length !== texts.length) return false
  return patterns.every((pattern, i) => {
    const text = texts[i] ?? []
    const isMarkedPattern = pattern.some(({ isMarked }) => isMarked)
    const isMarkedText = text.every(({ isMarked }) => isMarked)
    return (
      pattern[0]?.base === text[0]?.base &&
      text.length >= pattern.length &&
      (isMarkedPattern || !isMarkedText || !'cgosu'.includes(pattern[0]?.base ?? ''))
    )
  })
}
