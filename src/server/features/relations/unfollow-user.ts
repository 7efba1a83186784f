import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { UNFOLLOWED_TEXT } from '../../../shared/relations/follow-rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { removeNotificationSender } from '../../model/notifications/transactions.ts'
import { findFollow } from '../../model/relations/queries.ts'
import { query } from '../../model/schema/query.ts'
import { emitFollowChange } from './emit-follow-change.ts'
import { type FollowPair, removeFollowRequest } from './follow-notifications.ts'
import type { FollowAnswer } from './follow-user.ts'

const deleteFollow = query<FollowPair>()((db, p) =>
  db.deleteFrom('follow').where('followerId', '=', p('followerId')).where('followingId', '=', p('followingId')),
)

/** Ends the actor's follow, or withdraws the request. Refuses with ActorMismatch. */
export const unfollowUser = defineCommand({
  name: 'unfollowUser',
  run(tx: Transaction, actor: Actor | null, pair: FollowPair): FollowAnswer | Refusal {
    if (actor?.userId !== pair.followerId) return refuse('ActorMismatch')
    endFollow(tx, pair, actor.userId)
    return { success: true, message: UNFOLLOWED_TEXT, status: 'not_following' }
  },
})

/** Ends how two users follow each other, because the actor has blocked the other. */
export function endFollowsBetween(tx: Transaction, actorId: UserId, otherId: UserId): void {
  endFollow(tx, { followerId: actorId, followingId: otherId }, actorId)
  endFollow(tx, { followerId: otherId, followingId: actorId }, actorId)
}

/** Ends a follow or a request, and notifies the two users if there was one. */
export function endFollow(tx: Transaction, pair: FollowPair, actorId: UserId): void {
  const follow = findFollow(tx, pair.followerId, pair.followingId)
  if (!follow) return
  tx.run(deleteFollow, pair)
  // A hidden one has notified no one.
  if (follow.audience === null) withdrawNotification(tx, pair, { isAccepted: follow.isAccepted === 1, actorId })
  const follower = tx.get(userById, { id: pair.followerId })
  const following = tx.get(userById, { id: pair.followingId })
  if (follower && following) emitFollowChange(tx, 'userUnfollowed', { follower, following }, follow.audience)
}

function withdrawNotification(
  tx: Transaction,
  pair: FollowPair,
  { isAccepted, actorId }: { isAccepted: boolean; actorId: UserId },
): void {
  if (isAccepted) removeNotificationSender(tx, pair.followingId, { type: 'follower', senderId: pair.followerId })
  else removeFollowRequest(tx, pair, actorId)
}
