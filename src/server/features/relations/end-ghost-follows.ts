import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'
import { endFollow } from './unfollow-user.ts'

function hiddenFollows(side: 'followerId' | 'followingId') {
  return query<{ userId: UserId }>()((db, p) =>
    db
      .selectFrom('follow')
      .select(['followerId', 'followingId'])
      .where(side, '=', p('userId'))
      .where('audience', 'is not', null),
  )
}
const hiddenFollowsBy = hiddenFollows('followerId')
const hiddenFollowsOf = hiddenFollows('followingId')

/** A ghost ban has ended: follows from it, which the followed users do not know of, end too. At most MAX_FOLLOWING. */
export function endHiddenFollowsBy(tx: Transaction, followerId: UserId): void {
  for (const pair of tx.all(hiddenFollowsBy, { userId: followerId })) endFollow(tx, pair, followerId)
}

/** An account has become private: followers whom its owner does not know of and cannot remove see it no longer. */
export function endHiddenFollowsOf(tx: Transaction, followingId: UserId): void {
  for (const pair of tx.all(hiddenFollowsOf, { userId: followingId })) endFollow(tx, pair, followingId)
}
