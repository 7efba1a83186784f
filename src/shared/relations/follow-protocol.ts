import * as v from 'valibot'
import { UserSummary } from '../accounts/protocol.ts'
import { Count, command, Id, idText, loggedEvent, PageCursor, route } from '../protocol/define.ts'
import { UserId } from '../protocol/ids.ts'
import { AccountPrivacy } from '../settings/rules.ts'
import { FOLLOWS_PER_PAGE, FollowStatus, MAX_FOLLOWING } from './follow-rules.ts'
import { FOLLOW_CHANGE_LIMIT } from './limits.ts'

/** A user in a follow list (specification 1, point 2, "Followers and following mini-lists"). */
export const FollowListEntry = v.pick(UserSummary, ['id', 'username', 'avatarUrl', 'gender', 'isGuest'])
export type FollowListEntry = v.InferOutput<typeof FollowListEntry>

/** A changed follow, with the counts of both users after it. */
const FollowChange = v.object({
  followerId: UserId,
  followingId: UserId,
  followerUsername: v.string(),
  followingUsername: v.string(),
  status: FollowStatus,
  /** How many follow the followed user. */
  followerCount: Count,
  /** How many the follower follows. */
  followingCount: Count,
})
export type FollowChange = v.InferOutput<typeof FollowChange>

const FollowPair = v.object({ followerId: UserId, followingId: UserId })
const FollowAnswer = v.object({ success: v.literal(true), message: v.string(), status: FollowStatus })
const FollowList = v.object({ users: v.array(FollowListEntry), next: v.nullable(v.string()) })

const acceptedOnly = {
  description: 'Accepted for the specification; the HTTP call has already done its work.',
  access: 'signedIn',
  input: v.object({ followerId: v.optional(UserId), followingId: v.optional(UserId) }),
  answer: v.object({ success: v.literal(true) }),
} as const

export const commands = {
  followUser: command(acceptedOnly),
  followAccepted: command(acceptedOnly),
  unfollowUser: command(acceptedOnly),
  removeFollowNotification: command({ ...acceptedOnly, input: v.object({ requestId: v.optional(Id) }) }),
}

export const events = {
  userFollowed: loggedEvent({
    description: 'A user follows another: directly, or because the request was accepted. Sent to the two users only.',
    payload: FollowChange,
  }),
  userUnfollowed: loggedEvent({
    description: 'A user does not follow another any more, or has withdrawn the request. Sent to the two users only.',
    payload: FollowChange,
  }),
  followStatusUpdate: loggedEvent({
    description: 'A request to follow was sent; to the two users. The answer to one is `removeNotification`.',
    payload: FollowChange,
  }),
}

export const routes = {
  isFollowing: route({
    description:
      'How the first user follows the second, by ids, and the second the first; for these two and for root admins.',
    method: 'GET',
    path: '/follow/is-following/:followerId/:followingId',
    access: 'signedIn',
    input: v.object({ followerId: idText(UserId), followingId: idText(UserId) }),
    answer: v.object({
      success: v.literal(true),
      isFollowing: v.boolean(),
      /** `accepted` while it is followed, as in the specification. */
      status: v.nullable(v.picklist(['accepted', 'pending'])),
      followStatus: FollowStatus,
      followBackStatus: FollowStatus,
      accountPrivacy: AccountPrivacy,
      followerCount: Count,
      followingCount: Count,
    }),
  }),
  follow: route({
    description:
      'Follows a public account, or with `request` asks a private one. `followerId` is the sender. A repeated follow ' +
      `changes nothing. A user follows at most ${MAX_FOLLOWING} users, requests included.`,
    method: 'POST',
    path: '/follow/follow',
    access: 'member',
    limiter: FOLLOW_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ ...FollowPair.entries, request: v.optional(v.boolean()) }),
    answer: FollowAnswer,
  }),
  unfollow: route({
    description: 'Ends a follow or withdraws a request. `followerId` is the sender. Without one nothing changes.',
    method: 'POST',
    path: '/follow/unfollow',
    access: 'member',
    limiter: FOLLOW_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: FollowPair,
    answer: FollowAnswer,
  }),
  acceptFollow: route({
    description: 'Accepts a request to follow the sender, who is `followingId`. Refused when there is none.',
    method: 'POST',
    path: '/follow/accept-follow',
    access: 'member',
    limiter: FOLLOW_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: FollowPair,
    answer: FollowAnswer,
  }),
  rejectFollow: route({
    description: 'Rejects a request to follow the sender, who is `followingId`. Without one nothing changes.',
    method: 'POST',
    path: '/follow/reject-follow',
    access: 'member',
    limiter: FOLLOW_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: FollowPair,
    answer: FollowAnswer,
  }),
  removeFollower: route({
    description: 'Ends the follow of the sender, who is `followingId`, by a follower. Without one nothing changes.',
    method: 'POST',
    path: '/follow/remove-follower',
    access: 'member',
    limiter: FOLLOW_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: FollowPair,
    answer: FollowAnswer,
  }),
  followLists: route({
    description:
      `The followers of a user and the users whom they follow, the latest first, ${FOLLOWS_PER_PAGE} of each. ` +
      "`next` of a list is the `followersBefore` or `followingBefore` of its next page, null at its end. A private account's lists are for its followers; nobody sees lists across a block, root admins excepted.",
    method: 'GET',
    path: '/follow/followers-following/:id',
    access: 'signedIn',
    input: v.object({
      id: idText(UserId),
      followersBefore: v.optional(PageCursor),
      followingBefore: v.optional(PageCursor),
    }),
    answer: v.object({
      success: v.literal(true),
      followers: FollowList.entries.users,
      following: FollowList.entries.users,
      nextFollowers: FollowList.entries.next,
      nextFollowing: FollowList.entries.next,
      followerCount: Count,
      followingCount: Count,
    }),
  }),
}
