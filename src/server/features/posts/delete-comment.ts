import { SHOWN_COMMENTS } from '../../../shared/posts/limits.ts'
import { COMMENT_DELETED_TEXT, POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { CommentId, PostId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import { findVisiblePost } from '../../model/posts/access.ts'
import { type Authorship, scopeOf, visibilityOfEvent } from '../../model/posts/event-scope.ts'
import { withdrawComment } from '../../model/posts/notify.ts'
import { findPost, latestComments } from '../../model/posts/queries.ts'
import { countComment, emitCounts, hasCommented, streamOfPost } from '../../model/posts/transactions.ts'
import { query } from '../../model/schema/query.ts'

export type CommentTarget = { postId: PostId; commentId: CommentId }

const commentRow = query<CommentTarget & VisibilityParams>()((db, p) =>
  db
    .selectFrom('postComment')
    .selectAll()
    .where('id', '=', p('commentId'))
    .where('postId', '=', p('postId'))
    .where(visibleTo(p, 'postComment.userId')),
)
const deleteRow = query<{ id: CommentId }>()((db, p) => db.deleteFrom('postComment').where('id', '=', p('id')))

/** Deletes a comment of the actor, or one on the actor's post. Refuses with NotFound, or Forbidden for another's. */
export const deleteComment = defineCommand({
  name: 'deletePostComment',
  run(tx: Transaction, actor: Actor | null, target: CommentTarget): { success: true; message: string } | Refusal {
    const comment = actor && tx.get(commentRow, { ...target, ...visibilityOf(actor) })
    const post = comment && findPost(tx, target.postId)
    if (!post) return refuse('NotFound', { message: POST_NOT_FOUND_TEXT })
    const isAllowed = comment.userId === actor.userId || post.userId === actor.userId
    // Authors may take their words away where they may not look any more.
    if (!isAllowed) return refuse(findVisiblePost(tx, actor, post.id) ? 'Forbidden' : 'NotFound')
    removeComment(tx, comment, actor.userId)
    return { success: true, message: COMMENT_DELETED_TEXT }
  },
})

/** Deletes a comment; the older one that is among the latest now is emitted, because posts are shown with those. */
export function removeComment(
  tx: Transaction,
  comment: { id: CommentId; postId: PostId } & Authorship,
  actorId: UserId | null,
): void {
  const { id: commentId, postId } = comment
  const post = findPost(tx, postId)
  const latest = () => (post ? latestComments(tx, visibilityOfEvent(post, comment), postId, SHOWN_COMMENTS) : [])
  const shownBefore = latest()
  tx.run(deleteRow, { id: commentId })
  countComment(tx, comment, -1, hasCommented(tx, comment.userId, postId))
  if (!post) return
  const stream = streamOfPost(post)
  const { userId } = post
  const scope = scopeOf(post, comment)
  tx.emit({ stream, name: 'postCommentDeleted', payload: { postId, userId, commentId }, ...scope })
  const movedUp = latest().find(({ id }) => !shownBefore.some((old) => old.id === id))
  if (movedUp) {
    // Blocks hide an event by its actor, except that those of a hidden post are the owner's.
    const actorOfMoved = scope.audience === 'actor' ? scope.actorId : movedUp.User.id
    tx.emit({ stream, name: 'postCommented', payload: { userId, comment: movedUp }, ...scope, actorId: actorOfMoved })
  }
  emitCounts(tx, postId, comment)
  withdrawComment(tx, post, { id: commentId, senderId: comment.userId }, actorId)
}
