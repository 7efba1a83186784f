import { MAX_HITS_OF_TEXT } from './limits.ts'
import type { MatchedPattern, WordMatch, WordMatcher } from './word-matcher.ts'

export const FILTER_ACTIONS = ['holdBack', 'replace', 'alert'] as const
export type FilterAction = (typeof FILTER_ACTIONS)[number]

/** What the filter needs of an entry. */
export interface FilteringEntry extends MatchedPattern {
  action: FilterAction
  /** Of `replace`; null for stars. */
  replacement: string | null
}

export interface FilterResult<E> {
  /** Whether the text waits for review; then nothing of it is replaced. */
  isHeldBack: boolean
  /** The text to store. */
  text: string
  /** A hit for each entry that matches, with the first word that it matches; the strictest actions first. */
  hits: { entry: E; word: string }[]
}

const MAX_STARS = 12

/** Applies the filter to a text. A replacement that would exceed `maxLength` becomes stars, as short as the word. */
export function applyFilter<E extends FilteringEntry>(
  matcher: WordMatcher<E>,
  text: string,
  maxLength: number,
): FilterResult<E> {
  const matches = matcher.findMatches(text)
  const isHeldBack = matches.some(({ entry }) => entry.action === 'holdBack')
  const replaced = matches.filter(({ entry }) => entry.action === 'replace')
  return {
    isHeldBack,
    text: isHeldBack || replaced.length === 0 ? text : replaceMatches(text, replaced, maxLength),
    hits: hitsOf(text, matches),
  }
}

function hitsOf<E extends FilteringEntry>(text: string, matches: readonly WordMatch<E>[]): FilterResult<E>['hits'] {
  const firstByEntry = new Map<E, string>()
  for (const { entry, start, end } of matches)
    if (!firstByEntry.has(entry)) firstByEntry.set(entry, text.slice(start, end))
  return [...firstByEntry]
    .map(([entry, word]) => ({ entry, word }))
    .toSorted((a, b) => FILTER_ACTIONS.indexOf(a.entry.action) - FILTER_ACTIONS.indexOf(b.entry.action))
    .slice(0, MAX_HITS_OF_TEXT)
}

function replaceMatches<E extends FilteringEntry>(
  text: string,
  matches: readonly WordMatch<E>[],
  maxLength: number,
): string {
  const longestFirst = matches.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const build = (toReplacement: (match: WordMatch<E>) => string): string => {
    const parts: string[] = []
    let end = 0
    for (const match of longestFirst) {
      if (match.start < end) continue
      parts.push(text.slice(end, match.start), toReplacement(match))
      end = match.end
    }
    return parts.join('') + text.slice(end)
  }
  const replaced = build((match) => match.entry.replacement ?? starsFor(match))
  return replaced.length <= maxLength ? replaced : build(starsFor)
}

/** Never longer than the word. */
function starsFor({ start, end }: { start: number; end: number }): string {
  return '*'.repeat(Math.min(end - start, MAX_STARS))
}
