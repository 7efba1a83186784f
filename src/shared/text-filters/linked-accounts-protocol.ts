import * as v from 'valibot'
import { NameInput, UserSummary } from '../accounts/protocol.ts'
import { Ban, BanDuration, BanReason } from '../moderation/protocol.ts'
import { Count, idText, loggedEvent, route, Time } from '../protocol/define.ts'
import { RestrictionId } from '../protocol/ids.ts'
import { FILTER_CHANGE_LIMIT, LOOK_UP_LIMIT, ROWS_PER_PAGE } from './limits.ts'

export const FingerprintKind = v.picklist(['browser', 'address'])
export type FingerprintKind = v.InferOutput<typeof FingerprintKind>

/** How many browsers and addresses. */
const fingerprintCounts = { browsers: Count, addresses: Count }

/** An account that has used a browser or an address of another one. */
export const LinkedAccount = v.object({
  user: UserSummary,
  isBanned: v.boolean(),
  /** Shared with the other account. */
  ...fingerprintCounts,
  /** When it last used one of them. */
  lastSeenAt: Time,
})
export type LinkedAccount = v.InferOutput<typeof LinkedAccount>

/** A ban that covers browsers or addresses beside the account. */
export const FingerprintBan = v.object({ ban: Ban, ...fingerprintCounts })
export type FingerprintBan = v.InferOutput<typeof FingerprintBan>

export const events = {
  markBansChanged: loggedEvent({
    description: 'A browser or an address was banned, or its ban was lifted; for root admins, who fetch it.',
    payload: v.object({ banId: RestrictionId }),
  }),
}

const Success = v.object({ success: v.literal(true) })
const rootAdminOnly = { access: 'rootadmin' } as const

export const routes = {
  linkedAccounts: route({
    ...rootAdminOnly,
    description:
      'Accounts that have used a browser or an address of this one, those that share most first. The action log ' +
      'records who has looked.',
    method: 'POST',
    path: '/moderation/linked-accounts',
    limiter: LOOK_UP_LIMIT,
    input: v.object({ username: NameInput }),
    answer: v.object({
      success: v.literal(true),
      user: UserSummary,
      isBanned: v.boolean(),
      /** Of the account. */
      ...fingerprintCounts,
      accounts: v.array(LinkedAccount),
      /** Whether there are more than these. */
      hasMore: v.boolean(),
    }),
  }),
  banMarks: route({
    ...rootAdminOnly,
    description:
      'Bans an account with its browsers, its recent addresses or both: guests and new accounts from them are refused. ' +
      'Members who are registered already are not.',
    method: 'POST',
    path: '/moderation/mark-bans',
    limiter: FILTER_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({
      username: NameInput,
      covers: v.pipe(v.array(FingerprintKind), v.minLength(1), v.maxLength(2)),
      duration: BanDuration,
      banReason: BanReason,
    }),
    answer: v.object({ success: v.literal(true), markBan: FingerprintBan }),
  }),
  markBans: route({
    ...rootAdminOnly,
    description: `The present bans that cover browsers or addresses, the latest first, ${ROWS_PER_PAGE} at a time.`,
    method: 'GET',
    path: '/moderation/mark-bans',
    input: v.object({ before: v.optional(idText(RestrictionId)) }),
    answer: v.object({ success: v.literal(true), markBans: v.array(FingerprintBan), next: v.nullable(RestrictionId) }),
  }),
  liftMarkBan: route({
    ...rootAdminOnly,
    description: 'Lifts the ban of the browsers or of the addresses that a ban covers; the account stays banned.',
    method: 'POST',
    path: '/moderation/mark-bans/lift',
    limiter: FILTER_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ banId: RestrictionId, kind: FingerprintKind }),
    answer: Success,
  }),
}
