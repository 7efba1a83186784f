import { POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import { removePostNotifications } from '../notifications/transactions.ts'
import { query } from '../schema/query.ts'
import { scopeOfPost } from './event-scope.ts'
import { findPost, type PostRow } from './queries.ts'
import { changePostTotal, streamOfPost } from './transactions.ts'

const markRemoved = query<{ id: PostId; now: number }>()((db, p) =>
  db
    .updateTable('post')
    .set({ deletedAt: p('now'), removedAt: p('now') })
    .where('id', '=', p('id')),
)
const removedPost = query<{ id: PostId }>()((db, p) =>
  db
    .selectFrom('post')
    .select('userId')
    .where('id', '=', p('id'))
    .where('removedAt', 'is not', null)
    .where('isPurging', '=', 0),
)
const showAgain = query<{ id: PostId }>()((db, p) =>
  db.updateTable('post').set({ deletedAt: null, removedAt: null }).where('id', '=', p('id')),
)

/** Takes a post away for a root admin: at once for everybody. `purgePosts` deletes it after 30 days. */
export function removePost(tx: Transaction, row: PostRow): null {
  const { id: postId, userId } = row
  tx.run(markRemoved, { id: postId, now: tx.now })
  if (row.isArchived === 0) changePostTotal(tx, row, -1)
  removePostNotifications(tx, postId)
  tx.emit({ stream: streamOfPost(row), name: 'postDeleted', payload: { postId, userId }, ...scopeOfPost(row) })
  return null
}

/** Shows a removed post again with its likes and comments. Refuses with NotFound when it, or its owner, is gone. */
export function restorePost(tx: Transaction, id: PostId): Refusal | null {
  const removed = tx.get(removedPost, { id })
  const owner = removed && tx.get(userById, { id: removed.userId })
  if (!owner || owner.nameReleasedAt !== null) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
  tx.run(showAgain, { id })
  const row = findPost(tx, id)
  if (!row) throw new Error(`the post ${id} has no row`)
  if (row.isArchived === 0) changePostTotal(tx, row, 1)
  const payload = { postId: id, isArchived: row.isArchived === 1, userId: owner.id }
  tx.emit({ stream: streamOfPost(row), name: 'postArchived', payload, ...scopeOfPost(row) })
  return null
}
