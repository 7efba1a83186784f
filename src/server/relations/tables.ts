import type { UserId } from '../../shared/protocol/ids.ts'

declare module '../database/schema.ts' {
  interface Database {
    /** One user blocks another. */
    block: { blockerId: UserId; blockedId: UserId; createdAt: number }
    /** One user follows another, or has asked to. `at`: when it was accepted, or asked for. */
    follow: { followerId: UserId; followingId: UserId; isAccepted: 0 | 1; at: number }
    /** Follows that are accepted, of each user and by them. */
    followCount: { userId: UserId; followerCount: number; followingCount: number }
  }
}
