import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { postsStream } from '../../model/posts/streams.ts'
import { query } from '../../model/schema/query.ts'

const deletePostsOf = query<{ userId: UserId; now: number }>()((db, p) =>
  db
    .updateTable('post')
    .set({ deletedAt: p('now'), isPurging: 1 })
    .where('userId', '=', p('userId'))
    .where('deletedAt', 'is', null),
)
const deleteTotal = query<{ userId: UserId }>()((db, p) => db.deleteFrom('postTotal').where('userId', '=', p('userId')))
const anyLikeOf = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('postLike').select('postId').where('userId', '=', p('userId')).limit(1),
)
const anyCommentOf = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('postComment').select('id').where('userId', '=', p('userId')).limit(1),
)
const purgeLater = query<{ userId: UserId }>()((db, p) =>
  db
    .insertInto('postPurgedUser')
    .values({ userId: p('userId') })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Hides the posts of a user who is removed for good at once; a job deletes them, and the user's likes and comments. */
export function removePostsOf(tx: Transaction, userId: UserId): void {
  if (tx.run(deletePostsOf, { userId, now: tx.now }).changes > 0) {
    tx.run(deleteTotal, { userId })
    tx.emit({ stream: postsStream(userId), name: 'postsRestricted', payload: { userId, isGone: true } })
  }
  if (tx.get(anyLikeOf, { userId }) || tx.get(anyCommentOf, { userId })) tx.run(purgeLater, { userId })
}

/** Ends watching for those who may not see the posts of an account that has become private. */
export function restrictPostsOf(tx: Transaction, userId: UserId): void {
  tx.emit({ stream: postsStream(userId), name: 'postsRestricted', payload: { userId, isGone: false } })
}
