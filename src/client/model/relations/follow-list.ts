import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FollowChange, FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import type { LiveList } from '../../core/signals/live-list.ts'

export type FollowSide = 'followers' | 'following'

/** The followers of one user, or the users whom that user follows. */
export type FollowList = LiveList<FollowListEntry, string>

/** Removes a user after the end of a follow, and loads the list again after a new one. */
export function applyFollowChange(
  follows: FollowList,
  { userId, side }: { userId: UserId; side: FollowSide },
  { followerId, followingId, status }: FollowChange,
): void {
  const [ownerId, listedId] = side === 'followers' ? [followingId, followerId] : [followerId, followingId]
  if (ownerId !== userId) return
  if (status !== 'following') follows.remove(({ id }) => id === listedId)
  else if (!follows.list.peek()?.items.some(({ id }) => id === listedId)) void follows.refresh()
}
