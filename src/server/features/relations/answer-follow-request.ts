import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { FOLLOW_ACCEPTED_TEXT, FOLLOW_REJECTED_TEXT } from '../../../shared/relations/follow-rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { addNotification, clearNotificationTabs } from '../../model/notifications/transactions.ts'
import { findFollow, followStatusOf } from '../../model/relations/queries.ts'
import { query } from '../../model/schema/query.ts'
import { emitFollowChange } from './emit-follow-change.ts'
import { type FollowPair, removeFollowRequest } from './follow-notifications.ts'
import type { FollowAnswer } from './follow-user.ts'

export type AnswerFollowRequest = FollowPair & { isAccepted: boolean }

const acceptRequest = query<FollowPair & { at: number }>()((db, p) =>
  db
    .updateTable('follow')
    .set({ isAccepted: 1, at: p('at') })
    .where('followerId', '=', p('followerId'))
    .where('followingId', '=', p('followingId'))
    .where('isAccepted', '=', 0),
)
const deleteRequest = query<FollowPair>()((db, p) =>
  db
    .deleteFrom('follow')
    .where('followerId', '=', p('followerId'))
    .where('followingId', '=', p('followingId'))
    .where('isAccepted', '=', 0),
)
const latestRequestsTo = query<{ followingId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('follow')
    .select('followerId')
    .where('followingId', '=', p('followingId'))
    .where('isAccepted', '=', 0)
    .orderBy('at', 'desc')
    .limit(p('limit')),
)
const acceptAll = query<{ followingId: UserId; at: number }>()((db, p) =>
  db
    .updateTable('follow')
    .set({ isAccepted: 1, at: p('at') })
    .where('followingId', '=', p('followingId'))
    .where('isAccepted', '=', 0),
)

/** How many users are notified when an account becomes public; others see it with their next fetch. */
const MAX_NOTIFIED_FOLLOWERS = 1_000

/** Accepts or rejects a request to follow the actor. Refuses with ActorMismatch, or NotFound when accepting none. */
export const answerFollowRequest = defineCommand({
  name: 'answerFollowRequest',
  run(tx: Transaction, actor: Actor | null, { isAccepted, ...pair }: AnswerFollowRequest): FollowAnswer | Refusal {
    if (actor?.userId !== pair.followingId) return refuse('ActorMismatch')
    const mayKnow = followStatusOf(tx, actor, pair.followerId, pair.followingId) !== 'not_following'
    if (isAccepted) {
      if (mayKnow && acceptFollowRequest(tx, pair)) removeFollowRequest(tx, pair, actor.userId)
      const status = followStatusOf(tx, actor, pair.followerId, pair.followingId)
      return status === 'following' ? { success: true, message: FOLLOW_ACCEPTED_TEXT, status } : refuse('NotFound')
    }
    if (mayKnow) rejectFollowRequest(tx, pair)
    const status = followStatusOf(tx, actor, pair.followerId, pair.followingId)
    return { success: true, message: FOLLOW_REJECTED_TEXT, status }
  },
})

/** Accepts the requests to an account that has become public. */
export function acceptAllRequests(tx: Transaction, followingId: UserId): void {
  clearNotificationTabs(tx, followingId, ['follow'])
  for (const { followerId } of tx.all(latestRequestsTo, { followingId, limit: MAX_NOTIFIED_FOLLOWERS }))
    acceptFollowRequest(tx, { followerId, followingId })
  tx.run(acceptAll, { followingId, at: tx.now })
}

function acceptFollowRequest(tx: Transaction, pair: FollowPair): boolean {
  if (tx.run(acceptRequest, { ...pair, at: tx.now }).changes === 0) return false
  const follower = tx.get(userById, { id: pair.followerId })
  const following = tx.get(userById, { id: pair.followingId })
  const audience = findFollow(tx, pair.followerId, pair.followingId)?.audience ?? null
  if (follower && following) emitFollowChange(tx, 'userFollowed', { follower, following }, audience)
  addNotification(tx, pair.followerId, { type: 'followAccepted', senderId: pair.followingId })
  return true
}

/** The removal of the notification is the only event, and the one who asked is not notified (specification 1, point 4). */
function rejectFollowRequest(tx: Transaction, pair: FollowPair): void {
  if (tx.run(deleteRequest, pair).changes > 0) removeFollowRequest(tx, pair, pair.followingId)
}
