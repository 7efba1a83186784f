import type { Generated } from 'kysely'
import type { UserId } from '../../../shared/protocol/ids.ts'

export interface RelationTables {
  /** One user blocks another. */
  block: {
    blockerId: UserId
    blockedId: UserId
    createdAt: number
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
