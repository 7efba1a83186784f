import type { FilteringEntry, FilterResult } from '../../../shared/text-filters/apply-filter.ts'
import {
  MAX_HELD_TEXTS,
  MAX_HELD_TEXTS_OF_ADDRESS,
  MAX_HELD_TEXTS_OF_USER,
} from '../../../shared/text-filters/limits.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { insertRow, query } from '../../model/schema/query.ts'
import {
  countHeldTexts,
  countHeldTextsOfAddress,
  type HeldTextRow,
  heldTextsOfUser,
} from '../../model/text-filters/queries.ts'
import { toPlaceColumns } from '../../model/text-filters/show-place.ts'
import type { TextDraft } from '../../model/text-screening/transactions.ts'
import { shortenText } from './hits.ts'

const insertHeldText = insertRow(
  'heldText',
  ['id', 'userId', 'placeKind', 'placeId', 'text', 'clientId', 'replyToId', 'mediaId', 'pattern', 'word', 'at'],
  { releasedAt: null },
)
const lastHeldText = query()((db) => db.selectFrom('heldText').select((eb) => eb.fn.max<number | null>('id').as('id')))

/** The same text of the same person in the same place that waits already, or that is being released. */
export function findHeldText(tx: Transaction, { sender, place, text }: TextDraft): HeldTextRow | undefined {
  const { placeKind, placeId } = toPlaceColumns(place)
  return tx
    .all(heldTextsOfUser, { userId: sender.id })
    .find((held) => held.placeKind === placeKind && held.placeId === placeId && held.text === text)
}

/** Keeps a text for review. False where none is kept: at other places than messages and comments, and beyond the bounds. */
export function holdText(tx: Transaction, draft: TextDraft, hits: FilterResult<FilteringEntry>['hits']): boolean {
  const { placeKind, placeId } = toPlaceColumns(draft.place)
  if (placeId === null || (placeKind !== 'room' && placeKind !== 'direct' && placeKind !== 'comment')) return false
  const userId = draft.sender.id
  if (tx.all(heldTextsOfUser, { userId }).length >= MAX_HELD_TEXTS_OF_USER) return false
  if (countHeldTexts(tx) >= MAX_HELD_TEXTS) return false
  if (countHeldTextsOfAddress(tx, userId) >= MAX_HELD_TEXTS_OF_ADDRESS) return false
  const hit = hits.find(({ entry }) => entry.action === 'holdBack')
  const { clientId = null, replyToId = null, mediaId = null } = draft.message ?? {}
  tx.run(insertHeldText, {
    // Ids go up with the time, so that the id of a decided text is not given again.
    id: Math.max(tx.now, (tx.get(lastHeldText)?.id ?? 0) + 1),
    ...{ userId, placeKind, placeId, clientId, replyToId, mediaId },
    text: draft.text,
    pattern: hit?.entry.pattern ?? '',
    word: shortenText(hit?.word ?? '', ''),
    at: tx.now,
  })
  emitHeldTextsChanged(tx)
  return true
}

/** Tells root admins how many texts wait. */
export function emitHeldTextsChanged(tx: Transaction): void {
  const payload = { part: 'heldTexts', heldCount: countHeldTexts(tx) } as const
  tx.emit({ stream: rootAdminStream, name: 'textFilterChanged', payload })
}
