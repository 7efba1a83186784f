import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FilterAction, FilteringEntry, FilterResult } from '../../../shared/text-filters/apply-filter.ts'
import { MAX_EXCERPT_LENGTH, MAX_HITS_OF_USER_PER_HOUR } from '../../../shared/text-filters/limits.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'
import { type PlaceColumns, toPlaceColumns } from '../../model/text-filters/show-place.ts'
import type { TextDraft } from '../../model/text-screening/transactions.ts'

const HOUR_MS = 60 * 60_000

const insertHit = query<
  {
    userId: UserId
    clientId: string | null
    pattern: string
    word: string
    excerpt: string | null
    action: FilterAction
    now: number
  } & { [C in keyof PlaceColumns]: PlaceColumns[C] }
>()((db, p) =>
  db.insertInto('filterHit').values((eb) => ({
    // An id is not given twice, although the oldest rows are deleted.
    id: eb.fn.coalesce(
      eb.selectFrom('filterHit').select(({ fn, lit }) => eb(fn.max('id'), '+', lit(1)).as('id')),
      eb.lit(1),
    ),
    userId: p('userId'),
    placeKind: p('placeKind'),
    placeId: p('placeId'),
    clientId: p('clientId'),
    pattern: p('pattern'),
    word: p('word'),
    excerpt: p('excerpt'),
    action: p('action'),
    at: p('now'),
  })),
)
const recentHits = query<{ userId: UserId; since: number }>()((db, p) =>
  db
    .selectFrom('filterHit')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', p('userId'))
    .where('at', '>', p('since')),
)

/** Logs what the filter matched in a text; hits of one person beyond the bound of an hour are not logged. */
export function logHits(tx: Transaction, draft: TextDraft, hits: FilterResult<FilteringEntry>['hits']): void {
  const userId = draft.sender.id
  const logged = tx.get(recentHits, { userId, since: tx.now - HOUR_MS })?.count ?? 0
  for (const { entry, word } of hits.slice(0, Math.max(MAX_HITS_OF_USER_PER_HOUR - logged, 0)))
    tx.run(insertHit, {
      userId,
      ...toPlaceColumns(draft.place),
      clientId: draft.message?.clientId ?? null,
      pattern: entry.pattern,
      word: shortenText(word, word),
      excerpt: draft.place.kind === 'direct' ? null : shortenText(draft.text, word),
      action: entry.action,
      now: tx.now,
    })
}

/** At most `MAX_EXCERPT_LENGTH` UTF-16 units of a text, around the word. */
export function shortenText(text: string, word: string): string {
  const at = Math.max(text.indexOf(word), 0)
  const start = Math.max(Math.min(at - 100, text.length - MAX_EXCERPT_LENGTH), 0)
  return text.slice(start, start + MAX_EXCERPT_LENGTH).toWellFormed()
}
