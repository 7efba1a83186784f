import { siteStream } from '../../database/streams.ts'
import type { Transaction } from '../../database/transact.ts'
import { toUserSummary, userById } from '../queries.ts'

/** Tells everyone how this person is shown from now on, as the row says now; every region follows (presence.ts, `renew`). */
export function emitProfileUpdated(tx: Transaction, userId: number): void {
  const user = tx.get(userById, { id: userId })
  if (user) tx.emit({ stream: siteStream, name: 'userProfileUpdated', payload: { user: toUserSummary(user, tx.now) } })
}
