import type { FollowChange } from '../../../shared/relations/follow-protocol.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import { followCounts, followStatusOf } from '../../model/relations/queries.ts'

/**
 * Emits the present state of a follow to the two users, each with what they may know of it.
 * @param audience that of the follow: one of a ghost-banned follower comes to the follower alone, and to root admins
 */
export function emitFollowChange(
  tx: Transaction,
  name: 'userFollowed' | 'userUnfollowed' | 'followStatusUpdate',
  { follower, following }: { follower: UserRow; following: UserRow },
  audience: 'actor' | null,
): void {
  for (const { id, role } of [follower, following]) {
    const viewer = { userId: id, role }
    const payload: FollowChange = {
      followerId: follower.id,
      followingId: following.id,
      followerUsername: follower.username,
      followingUsername: following.username,
      status: followStatusOf(tx, viewer, follower.id, following.id),
      followerCount: followCounts(tx, viewer, following.id).followerCount,
      followingCount: followCounts(tx, viewer, follower.id).followingCount,
    }
    tx.emit({ stream: userStream(id), name, payload, actorId: follower.id, audience })
  }
}
