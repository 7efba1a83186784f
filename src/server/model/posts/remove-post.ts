import type { Transaction } from '../../kernel/database/transaction.ts'
import { removePostNotifications } from '../notifications/transactions.ts'
import { updateRow } from '../schema/query.ts'
import { scopeOfPost } from './event-scope.ts'
import type { PostRow } from './queries.ts'
import { changePostTotal, streamOfPost } from './transactions.ts'

const markDeleted = updateRow('post', ['id'], ['deletedAt'], { isPurging: 1 })

/** Takes a post away for everybody at once; `purgePosts` deletes its rows. */
export function removePost(tx: Transaction, row: PostRow): void {
  const { id: postId, userId } = row
  tx.run(markDeleted, { id: postId, deletedAt: tx.now })
  if (row.isArchived === 0) changePostTotal(tx, row, -1)
  removePostNotifications(tx, postId)
  tx.emit({ stream: streamOfPost(row), name: 'postDeleted', payload: { postId, userId }, ...scopeOfPost(row) })
}
