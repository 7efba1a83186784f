import type { Generated } from 'kysely'
import type { UserId } from '../../../shared/protocol/ids.ts'

/** For whom a block is in effect. */
export type BlockEffect = 'both' | 'blocker' | 'blocked'

export interface RelationTables {
  /** One user blocks another. */
  block: {
    blockerId: UserId
    blockedId: UserId
    createdAt: number
    /**
     * For whom it is in effect: `blocker` alone when it was made during a ghost ban of the blocker, `blocked` alone when
     * it was lifted during one.
     */
    effect: Generated<BlockEffect>
  }
  /** One user follows another, or has asked to. `at`: when it was accepted, or asked for. */
  follow: {
    followerId: UserId
    followingId: UserId
    isAccepted: 0 | 1
    at: number
    /** `actor`: for the follower and root admins, because the follower is ghost-banned; null: for all. */
    audience: Generated<'actor' | null>
  }
  /** Follows that are accepted and for all, of each user and by them. */
  followCount: { userId: UserId; followerCount: number; followingCount: number }
}
