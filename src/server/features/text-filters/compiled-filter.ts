import type { FilteringEntry } from '../../../shared/text-filters/apply-filter.ts'
import { WordMatcher } from '../../../shared/text-filters/word-matcher.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { allFilterEntries, type FilterStateRow, toFilterEntry } from '../../model/text-filters/queries.ts'

interface CompiledFilter {
  revision: string
  matcher: WordMatcher<FilteringEntry>
}

/** The last compiled list. A revision names one state of the entries, so it is never out of date. */
let compiled: CompiledFilter | null = null

/** The matcher of the present entries; compiled once for each of their states. */
export function getFilterMatcher(
  reader: Pick<Reader, 'all'>,
  { revision }: Pick<FilterStateRow, 'revision'>,
): CompiledFilter['matcher'] {
  if (compiled?.revision !== revision)
    compiled = { revision, matcher: new WordMatcher(reader.all(allFilterEntries).map(toFilterEntry)) }
  return compiled.matcher
}
