import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Transaction } from '../database/transact.ts'
import { directMedia } from './queries.ts'

const reportedMedia = query<{ id: number }>()((db, p) =>
  db.selectFrom('directMedia').select('id').where('id', '=', p('id')).where('isReported', '=', 1),
)

/** Lets the job delete a file whose message was removed, unless another message uses it or a report keeps it. */
export function expireMedia(tx: Transaction, id: number): void {
  if (!tx.get(reportedMedia, { id })) directMedia.expire(tx, id)
}

/** Deletes the rows of uploads that no message uses. */
export const deleteUnusedMedia = defineWrite({
  name: 'deleteUnusedDirectMedia',
  origin: 'primary',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction) => directMedia.deleteUnused(tx),
})
