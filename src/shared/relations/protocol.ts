import * as v from 'valibot'
import { BlockStatus, Gender, NameInput } from '../accounts/protocol.ts'
import { loggedEvent, route } from '../protocol/define.ts'
import { UserId } from '../protocol/ids.ts'
import { BLOCK_CHANGE_LIMIT } from './limits.ts'
import { BLOCKS_PER_PAGE, MAX_BLOCKS } from './rules.ts'

/** Somebody whom one has blocked (specification 1, point 3). */
export const BlockedUser = v.object({
  blockedUsername: v.string(),
  userDetails: v.object({ avatarUrl: v.nullable(v.string()), gender: v.nullable(Gender) }),
  id: UserId,
  isGuest: v.boolean(),
  /** A guest whose name is free again: somebody else may have it. */
  isGone: v.boolean(),
})
export type BlockedUser = v.InferOutput<typeof BlockedUser>

/** Where a page of them goes on. */
const BlockedUsersCursor = v.pipe(v.string(), v.regex(/^\d{1,16}-\d{1,16}$/))

const BlockChange = v.object({
  blockerUsername: v.string(),
  blockedUsername: v.string(),
  /** In Turkish, for whoever hears it. */
  message: v.string(),
  blockerId: UserId,
  blockedId: UserId,
})

/** Whom it is about. Where `blockedUserId` is given, a block is of that person if the name is theirs, and is lifted whatever it is. */
const BlockTargetInput = v.object({ blockedUsername: NameInput, blockedUserId: v.optional(UserId) })
const SuccessAnswer = v.object({ success: v.literal(true) })

export const events = {
  userBlocked: loggedEvent({
    description: 'Somebody has blocked somebody: told to these two, and to nobody else.',
    hiddenByBlock: false,
    effect: 'none',
    payload: BlockChange,
  }),
  userUnblocked: loggedEvent({
    description: 'Somebody has lifted a block: told to these two, and to nobody else.',
    hiddenByBlock: false,
    effect: 'none',
    payload: BlockChange,
  }),
}

export const routes = {
  blockUser: route({
    description:
      'Blocks somebody: from now on one sees nothing that they say, wherever it is read. They go on as before. ' +
      `Blocked again, nothing changes. Nobody blocks themselves, or more than ${MAX_BLOCKS} people.`,
    method: 'POST',
    path: '/users/block',
    access: 'signedIn',
    limiter: BLOCK_CHANGE_LIMIT,
    identityFields: [],
    retry: 'idempotencyKey',
    input: BlockTargetInput,
    answer: SuccessAnswer,
  }),
  unblockUser: route({
    description: 'Lifts the block of whoever of this name one has blocked. Where there is none, nothing changes.',
    method: 'POST',
    path: '/users/unblock',
    access: 'signedIn',
    limiter: BLOCK_CHANGE_LIMIT,
    identityFields: [],
    retry: 'idempotencyKey',
    input: BlockTargetInput,
    answer: SuccessAnswer,
  }),
  blockedUsers: route({
    description: `Whom one has blocked, the latest first, ${BLOCKS_PER_PAGE} at a time; \`next\`, where there is one, is the \`before\` that goes on.`,
    method: 'GET',
    path: '/users/blocked-users',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ before: v.optional(BlockedUsersCursor) }),
    answer: v.object({ success: v.literal(true), blockedUsers: v.array(BlockedUser), next: v.nullable(v.string()) }),
  }),
  isBlocked: route({
    description:
      'What blocks there are between two people, as the first one has them; for these two, and for root admins.',
    method: 'GET',
    path: '/users/is-blocked',
    access: 'signedIn',
    limiter: null,
    identityFields: [],
    retry: 'none',
    input: v.object({ username1: NameInput, username2: NameInput }),
    answer: v.object({ success: v.literal(true), ...BlockStatus.entries }),
  }),
}

type OwnEvents = typeof events
type OwnRoutes = typeof routes
declare module '../protocol/catalogue.ts' {
  interface Events extends OwnEvents {}
  interface Routes extends OwnRoutes {}
}
