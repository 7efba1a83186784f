import type { PostId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { removePostNotifications } from '../notifications/transactions.ts'
import { query } from '../schema/query.ts'
import { scopeOfPost } from './event-scope.ts'
import type { PostRow } from './queries.ts'
import { changePostTotal, streamOfPost } from './transactions.ts'

const markDeleted = query<{ id: PostId; now: number }>()((db, p) =>
  db
    .updateTable('post')
    .set({ deletedAt: p('now'), isPurging: 1 })
    .where('id', '=', p('id')),
)

/** Takes a post away for everybody at once; `purgePosts` deletes its rows. */
export function removePost(tx: Transaction, row: PostRow): void {
  const { id: postId, userId } = row
  tx.run(markDeleted, { id: postId, now: tx.now })
  if (row.isArchived === 0) changePostTotal(tx, row, -1)
  removePostNotifications(tx, postId)
  tx.emit({ stream: streamOfPost(row), name: 'postDeleted', payload: { postId, userId }, ...scopeOfPost(row) })
}
