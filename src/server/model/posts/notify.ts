import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../accounts/queries.ts'
import { addNotification, removeNotificationSender, removeRequestNotifications } from '../notifications/transactions.ts'
import { canSeePost } from './access.ts'
import type { PostRow } from './queries.ts'
import { hasCommented } from './transactions.ts'

/** Notifies the owner of a like, or takes that back. */
export function notifyOfLike(tx: Transaction, post: PostRow, senderId: UserId, isLiked: boolean): void {
  const notification = { type: 'like', senderId, postId: post.id } as const
  if (isLiked) addNotification(tx, post.userId, notification)
  else removeNotificationSender(tx, post.userId, notification)
}

/** Notifies the owner of a comment, and the mentioned users who may see the post. */
export function notifyOfComment(
  tx: Transaction,
  post: PostRow,
  comment: { id: number; content: string; senderId: UserId; mentioned: readonly UserRow[] },
): void {
  const { senderId, id: requestId, content } = comment
  const postId = post.id
  addNotification(tx, post.userId, { type: 'comment', senderId, postId })
  for (const { id, role } of comment.mentioned)
    if (id !== post.userId && canSeePost(tx, { userId: id, role }, post))
      addNotification(tx, id, { type: 'commentMention', senderId, postId, requestId, content })
}

/** Takes back what a comment notified of that the actor has deleted. @param actorId null: the site */
export function withdrawComment(
  tx: Transaction,
  post: PostRow,
  comment: { id: number; senderId: UserId },
  actorId: UserId | null,
): void {
  const { id: requestId, senderId } = comment
  removeRequestNotifications(tx, { type: 'commentMention', requestId }, actorId)
  if (!hasCommented(tx, senderId, post.id))
    removeNotificationSender(tx, post.userId, { type: 'comment', senderId, postId: post.id })
}
