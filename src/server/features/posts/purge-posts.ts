import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { removePostNotifications } from '../../model/notifications/transactions.ts'
import { notifyOfLike } from '../../model/posts/notify.ts'
import { findPost } from '../../model/posts/queries.ts'
import { countLike } from '../../model/posts/transactions.ts'
import { query } from '../../model/schema/query.ts'
import { removeComment } from './delete-comment.ts'

/** Rows removed by one step, so that other commands do not wait long. */
const STEP = 200

const nextUser = query()((db) => db.selectFrom('postPurgedUser').select('userId').limit(1))
const endUser = query<{ userId: UserId }>()((db, p) =>
  db.deleteFrom('postPurgedUser').where('userId', '=', p('userId')),
)
const likesOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('postLike').select(['postId', 'audience']).where('userId', '=', p('userId')).limit(STEP),
)
const deleteLike = query<{ userId: UserId; postId: PostId }>()((db, p) =>
  db.deleteFrom('postLike').where('postId', '=', p('postId')).where('userId', '=', p('userId')),
)
const commentsOfUser = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('postComment')
    .select(['id', 'postId', 'userId', 'audience'])
    .where('userId', '=', p('userId'))
    .limit(STEP),
)
const nextPost = query()((db) => db.selectFrom('post').select('id').where('isPurging', '=', 1).orderBy('id').limit(1))
const deleteLikesOfPost = query<{ postId: PostId }>()((db, p) =>
  db
    .deleteFrom('postLike')
    .where('postId', '=', p('postId'))
    .where('userId', 'in', (eb) =>
      eb.selectFrom('postLike as some').select('some.userId').where('some.postId', '=', p('postId')).limit(STEP),
    ),
)
const deleteCommentsOfPost = query<{ postId: PostId }>()((db, p) =>
  db
    .deleteFrom('postComment')
    .where('id', 'in', (eb) =>
      eb.selectFrom('postComment as some').select('some.id').where('some.postId', '=', p('postId')).limit(STEP),
    ),
)
const deleteFiles = query<{ postId: PostId }>()((db, p) => db.deleteFrom('postFile').where('postId', '=', p('postId')))
const deletePostRow = query<{ id: PostId }>()((db, p) => db.deleteFrom('post').where('id', '=', p('id')))

/**
 * Deletes some rows of deleted posts, and some likes and comments of users who are removed for good. The files go with the next sweep of files, unless a report keeps them.
 */
export const purgePosts = defineCommand({
  name: 'purgePosts',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const user = tx.get(nextUser)
    if (user) return { removed: purgeUser(tx, user.userId) }
    const post = tx.get(nextPost)
    return { removed: post ? purgePost(tx, post.id) : 0 }
  },
})

/** Deletes some likes and comments of a user, and counts them in the posts. */
function purgeUser(tx: Transaction, userId: UserId): number {
  const likes = tx.all(likesOfUser, { userId })
  for (const { postId, audience } of likes) {
    tx.run(deleteLike, { userId, postId })
    countLike(tx, postId, { userId, isLiked: false, audience })
    const post = findPost(tx, postId)
    if (post) notifyOfLike(tx, post, userId, false)
  }
  if (likes.length > 0) return likes.length
  const comments = tx.all(commentsOfUser, { userId })
  for (const comment of comments) removeComment(tx, comment, null)
  if (comments.length === 0) tx.run(endUser, { userId })
  return comments.length + 1
}

/** Deletes some likes and comments of a deleted post, and at last its row. */
function purgePost(tx: Transaction, id: PostId): number {
  removePostNotifications(tx, id)
  const removed =
    tx.run(deleteLikesOfPost, { postId: id }).changes + tx.run(deleteCommentsOfPost, { postId: id }).changes
  if (removed > 0) return removed
  tx.run(deleteFiles, { postId: id })
  tx.run(deletePostRow, { id })
  return 1
}
