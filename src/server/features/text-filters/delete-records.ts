import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'
import { emitHeldTextsChanged } from './held-texts.ts'

const deleteHeldTexts = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('heldText').where('userId', '=', p('userId')),
)
const deleteHits = query<{ userId: UserId }>()((db, p) => db.deleteFrom('filterHit').where('userId', '=', p('userId')))
const deleteAlerts = query<{ userId: UserId }>()((db, p) => db.deleteFrom('alert').where('userId', '=', p('userId')))
const deleteFingerprints = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('accountMark').where('userId', '=', p('userId')),
)

/** Deletes the waiting texts of a user who is gone; when the account is erased, also what the filter logged of it. */
export function deleteRecordsOf(tx: Transaction, userId: UserId, isErased: boolean): void {
  if (tx.run(deleteHeldTexts, { userId }).changes > 0) emitHeldTextsChanged(tx)
  if (!isErased) return
  tx.run(deleteFingerprints, { userId })
  tx.run(deleteHits, { userId })
  tx.run(deleteAlerts, { userId })
}
