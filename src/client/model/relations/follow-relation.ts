import type { RouteAnswer } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FollowChange } from '../../../shared/relations/follow-protocol.ts'
import { signal } from '../../core/signals/signal.ts'

/** How the viewer and another user follow each other, and how many follow that user and are followed by them. */
export type FollowRelation = Pick<
  RouteAnswer<'isFollowing'>,
  'followStatus' | 'followBackStatus' | 'accountPrivacy' | 'followerCount' | 'followingCount'
>

interface FollowPair {
  viewerId: UserId
  userId: UserId
}

/** The relation after a follow event. An event about neither of the two changes nothing. */
function applyFollowChange(
  relation: FollowRelation,
  { viewerId, userId }: FollowPair,
  change: FollowChange,
): FollowRelation {
  const { followerId, followingId, status } = change
  return {
    ...relation,
    ...(followingId === userId && { followerCount: change.followerCount }),
    ...(followerId === userId && { followingCount: change.followingCount }),
    ...(followerId === viewerId && followingId === userId && { followStatus: status }),
    ...(followerId === userId && followingId === viewerId && { followBackStatus: status }),
  }
}

/** The follow relation of the viewer and one user: loaded, then kept current by events. */
export class FollowRelationStore {
  /** null before the first load. */
  readonly relation = signal<FollowRelation | null>(null)
  private readonly pair: FollowPair
  private readonly fetchRelation: () => Promise<FollowRelation | null>
  private generation = 0
  private isLoading = false

  /** `fetchRelation` returns null when it failed: then the known relation stays. */
  constructor(pair: FollowPair, fetchRelation: () => Promise<FollowRelation | null>) {
    this.pair = pair
    this.fetchRelation = fetchRelation
  }

  async load(): Promise<void> {
    const generation = ++this.generation
    this.isLoading = true
    const relation = await this.fetchRelation()
    if (generation !== this.generation) return
    this.isLoading = false
    if (relation) this.relation.value = relation
  }

  /** A request to follow the viewer is answered or withdrawn; an accepted one is followed by its own event. */
  applyRequestEnd(followerId: UserId): void {
    if (followerId !== this.pair.userId) return
    const known = this.relation.peek()
    if (known?.followBackStatus === 'pending') this.relation.value = { ...known, followBackStatus: 'not_following' }
    if (this.isLoading) void this.load()
  }

  applyChange(change: FollowChange): void {
    const { userId } = this.pair
    if (change.followerId !== userId && change.followingId !== userId) return
    const known = this.relation.peek()
    if (known) this.relation.value = applyFollowChange(known, this.pair, change)
    // The pending answer may be older than the event.
    if (this.isLoading) void this.load()
  }
}
