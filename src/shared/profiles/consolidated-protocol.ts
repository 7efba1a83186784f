import * as v from 'valibot'
import { BlockStatus, NameInput, PublicProfile } from '../accounts/protocol.ts'
import { ActionLogEntry } from '../audit/action-log.ts'
import { ProfileGifts } from '../gifts/protocol.ts'
import { Post } from '../posts/post.ts'
import { Count, route } from '../protocol/define.ts'
import { RoomId } from '../protocol/ids.ts'
import { FollowListEntry } from '../relations/follow-protocol.ts'
import { FollowStatus } from '../relations/follow-rules.ts'
import { PROFILE_READ_LIMIT } from './limits.ts'

/** A room as a link in its creator's profile. */
const CreatedRoom = v.object({ id: RoomId, name: v.string() })

/** A profile with what its viewer may see of it, read from one snapshot (specification 1, point 3). */
export const ConsolidatedProfile = v.object({
  success: v.literal(true),
  /** Across a block, only what lists show. */
  profile: v.omit(PublicProfile, ['status']),
  status: v.object({
    /** Whether the viewer may see posts and follow lists. */
    canViewProfile: v.boolean(),
    /** How the viewer follows the user. */
    followStatus: FollowStatus,
    /** How the user follows the viewer. */
    followBackStatus: FollowStatus,
    ...BlockStatus.entries,
  }),
  stats: v.object({ followerCount: Count, followingCount: Count }),
  /** The first page of posts; empty where `canViewProfile` is false. */
  posts: v.array(Post),
  createdRooms: v.array(CreatedRoom),
  /** The gifts that the user has received; absent for guests and where `canViewProfile` is false. */
  gifts: v.optional(ProfileGifts),
  /** The latest actions of and against the user; sent to root admins only. */
  actions: v.optional(v.array(ActionLogEntry)),
  /** The latest of both lists, at most 10 each; empty where `canViewProfile` is false. The others are paged. */
  followers: v.array(FollowListEntry),
  following: v.array(FollowListEntry),
})
export type ConsolidatedProfile = v.InferOutput<typeof ConsolidatedProfile>

const lookup = {
  method: 'GET',
  access: 'signedIn',
  limiter: PROFILE_READ_LIMIT,
  input: v.object({ name: NameInput }),
  answer: ConsolidatedProfile,
} as const

export const routes = {
  consolidatedProfile: route({
    ...lookup,
    description:
      "A user's profile with status, counts, posts, created rooms and first pages of the follow lists, from one " +
      'snapshot. With a block between the two users it has only what lists show; root admins see all. Only root ' +
      'admins get `actions`.',
    path: '/users/profile-consolidated/:name',
  }),
  consolidatedGuestProfile: route({
    ...lookup,
    description: "A guest's profile, like `/users/profile-consolidated/:name`; members are not found by it.",
    path: '/users/profile-consolidated-guest/:name',
  }),
}
