import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import {
  FOLLOW_REQUESTED_TEXT,
  FOLLOWED_TEXT,
  type FollowStatus,
  followRefusals,
  followVerdict,
  MAX_FOLLOWING,
} from '../../../shared/relations/follow-rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { audienceOfActor } from '../../kernel/database/events/actor-audience.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { isBlockedBetween } from '../../model/relations/access.ts'
import { followStatusOf } from '../../model/relations/queries.ts'
import { insertRow, query } from '../../model/schema/query.ts'
import { privacyOf } from '../../model/settings/queries.ts'
import { emitFollowChange } from './emit-follow-change.ts'
import { notifyOfFollow } from './follow-notifications.ts'

export interface FollowUser {
  followerId: UserId
  followingId: UserId
  /** Asks a private account instead of following a public one. */
  request?: boolean | undefined
}

export interface FollowAnswer {
  success: true
  message: string
  status: FollowStatus
}

const insertFollow = insertRow('follow', ['followerId', 'followingId', 'isAccepted', 'at', 'audience'])
const countOwnFollows = query<{ followerId: UserId }>()((db, p) =>
  db
    .selectFrom('follow')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('followerId', '=', p('followerId')),
)

/** Follows a public account or asks a private one. Refuses with Forbidden, NotFound or TooManyFollows. */
export const followUser = defineCommand({
  name: 'followUser',
  run(tx: Transaction, actor: Actor | null, { followerId, followingId, request }: FollowUser): FollowAnswer | Refusal {
    if (actor?.userId !== followerId) return refuse('ActorMismatch')
    const follower = tx.get(userById, { id: followerId })
    const target = tx.get(userById, { id: followingId })
    if (!follower || follower.isGuest === 1) return refuse('Forbidden')
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const isRequest = request === true
    const before = followStatusOf(tx, actor, followerId, followingId)
    const verdict = followVerdict({
      isRequest,
      isSelf: followerId === followingId,
      target: { isGuest: target.isGuest === 1, accountPrivacy: privacyOf(target).accountPrivacy },
      isBlocked: isBlockedBetween(tx, followerId, followingId),
    })
    if (before === 'not_following') {
      if ('refused' in verdict) return refuse('Forbidden', { message: followRefusals[verdict.refused] })
      const count = tx.get(countOwnFollows, { followerId })?.count ?? 0
      if (count >= MAX_FOLLOWING) return refuse('TooManyFollows')
      const isAccepted = verdict.status === 'following' ? 1 : 0
      const audience = audienceOfActor(tx.cached, followerId)
      tx.run(insertFollow, { followerId, followingId, isAccepted, at: tx.now, audience })
      const name = isAccepted ? 'userFollowed' : 'followStatusUpdate'
      emitFollowChange(tx, name, { follower, following: target }, audience)
      notifyOfFollow(tx, { followerId, followingId }, isAccepted === 1)
    }
    const status = followStatusOf(tx, actor, followerId, followingId)
    return { success: true, message: status === 'following' ? FOLLOWED_TEXT : FOLLOW_REQUESTED_TEXT, status }
  },
})
