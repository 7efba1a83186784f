import type { FollowChange } from '../../shared/relations/follow-protocol.ts'
import type { UserRow } from '../accounts/queries.ts'
import { userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'
import { followCounts, followStatusOf } from './queries.ts'

/** Emits the present state of a follow to the two users, or to one of them. */
export function emitFollowChange(
  tx: Transaction,
  name: 'userFollowed' | 'userUnfollowed' | 'followStatusUpdate',
  follower: UserRow,
  following: UserRow,
  receivers: readonly UserRow[] = [follower, following],
): void {
  const payload: FollowChange = {
    followerId: follower.id,
    followingId: following.id,
    followerUsername: follower.username,
    followingUsername: following.username,
    status: followStatusOf(tx, follower.id, following.id),
    followerCount: followCounts(tx, following.id).followerCount,
    followingCount: followCounts(tx, follower.id).followingCount,
  }
  for (const { id } of receivers) tx.emit({ stream: userStream(id), name, payload })
}
