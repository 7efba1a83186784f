import * as v from 'valibot'
import { BlockStatus, Gender, NameInput } from '../accounts/protocol.ts'
import { loggedEvent, PageCursor, route } from '../protocol/define.ts'
import { UserId } from '../protocol/ids.ts'
import { BLOCK_CHANGE_LIMIT } from './limits.ts'
import { BLOCKS_PER_PAGE, MAX_BLOCKS } from './rules.ts'

/** A user whom the sender has blocked (specification 1, point 3). */
export const BlockedUser = v.object({
  blockedUsername: v.string(),
  userDetails: v.object({ avatarUrl: v.nullable(v.string()), gender: v.nullable(Gender) }),
  id: UserId,
  isGuest: v.boolean(),
  /** A guest whose name is released: another user may have it. */
  isGone: v.boolean(),
})
export type BlockedUser = v.InferOutput<typeof BlockedUser>

const BlockChange = v.object({
  blockerUsername: v.string(),
  blockedUsername: v.string(),
  /** In Turkish, for the receiver. */
  message: v.string(),
  blockerId: UserId,
  blockedId: UserId,
})

/** With `blockedUserId`, a block is refused unless that user has the name; an unblock ignores the name. */
const BlockTargetInput = v.object({ blockedUsername: NameInput, blockedUserId: v.optional(UserId) })
const SuccessAnswer = v.object({ success: v.literal(true) })

export const events = {
  userBlocked: loggedEvent({
    description: 'One user has blocked another; sent to these two only.',
    payload: BlockChange,
  }),
  userUnblocked: loggedEvent({
    description: 'A user has lifted a block; sent to the two users only.',
    payload: BlockChange,
  }),
}

export const routes = {
  blockUser: route({
    description:
      'Blocks a user: the blocker no longer sees their messages anywhere, and nothing changes for the blocked user. ' +
      `A repeated block changes nothing. A user cannot block themselves, or more than ${MAX_BLOCKS} users.`,
    method: 'POST',
    path: '/users/block',
    access: 'signedIn',
    limiter: BLOCK_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: BlockTargetInput,
    answer: SuccessAnswer,
  }),
  unblockUser: route({
    description: 'Lifts the block of the user with this name. Without a block nothing changes.',
    method: 'POST',
    path: '/users/unblock',
    access: 'signedIn',
    limiter: BLOCK_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: BlockTargetInput,
    answer: SuccessAnswer,
  }),
  blockedUsers: route({
    description: `The users whom the sender has blocked, the latest first, ${BLOCKS_PER_PAGE} at a time; \`next\` is the \`before\` of the next page, null on the last one.`,
    method: 'GET',
    path: '/users/blocked-users',
    access: 'signedIn',
    input: v.object({ before: v.optional(PageCursor) }),
    answer: v.object({ success: v.literal(true), blockedUsers: v.array(BlockedUser), next: v.nullable(v.string()) }),
  }),
  isBlocked: route({
    description: "Which blocks exist between two users, from the first one's side; for these two and for root admins.",
    method: 'GET',
    path: '/users/is-blocked',
    access: 'signedIn',
    input: v.object({ username1: NameInput, username2: NameInput }),
    answer: v.object({ success: v.literal(true), ...BlockStatus.entries }),
  }),
}
