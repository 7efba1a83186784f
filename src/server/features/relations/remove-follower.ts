import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { FOLLOWER_REMOVED_TEXT } from '../../../shared/relations/follow-rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { followStatusOf } from '../../model/relations/queries.ts'
import type { FollowAnswer } from './follow-user.ts'
import { endFollow } from './unfollow-user.ts'

/** Ends another user's follow of the actor; a request stays. Refuses with ActorMismatch. */
export const removeFollower = defineCommand({
  name: 'removeFollower',
  run(tx: Transaction, actor: Actor | null, pair: { followerId: UserId; followingId: UserId }): FollowAnswer | Refusal {
    if (actor?.userId !== pair.followingId) return refuse('ActorMismatch')
    if (followStatusOf(tx, actor, pair.followerId, pair.followingId) === 'following') endFollow(tx, pair, actor.userId)
    const status = followStatusOf(tx, actor, pair.followerId, pair.followingId)
    return { success: true, message: FOLLOWER_REMOVED_TEXT, status }
  },
})
