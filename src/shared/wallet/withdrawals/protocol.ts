import * as v from 'valibot'
import { loggedEvent, PageCursor, route, Text } from '../../protocol/define.ts'
import { WithdrawalOptionId } from '../../protocol/ids.ts'
import { OptionLira } from '../options/lira.ts'
import { MAX_PENDING_REQUESTS, REQUEST_LIMIT, REQUEST_READ_LIMIT, REQUESTS_PER_PAGE } from '../requests/limits.ts'
import { MoneyRequest, requestSender } from '../requests/request.ts'
import { AccountName, decisionRoute, ownRequestEvent } from '../requests/schemas.ts'
import { INVALID_IBAN_TEXT, MISSING_FIELDS_TEXT } from '../texts.ts'
import { hasIbanForm, isIban, normaliseIban } from './iban.ts'
import { MAX_ACCOUNT_NAME_LENGTH } from './limits.ts'
import { WRONG_IBAN_TEXT } from './texts.ts'

/** A part of the account holder's name, on one line. */
const Name = AccountName(MAX_ACCOUNT_NAME_LENGTH, MISSING_FIELDS_TEXT)
/** An IBAN as people write it; stored without spaces. */
const Iban = v.pipe(
  Text(64, MISSING_FIELDS_TEXT),
  v.transform(normaliseIban),
  v.minLength(1, MISSING_FIELDS_TEXT),
  v.check(hasIbanForm, INVALID_IBAN_TEXT),
  v.check(isIban, WRONG_IBAN_TEXT),
)

export const events = {
  newWithdrawalRequest: loggedEvent({
    description: 'A user asks for a payment; for root admins. Name and IBAN are in `GET /root-admin/requests` only.',
    payload: v.object({ ...MoneyRequest.entries, ...requestSender }),
  }),
  withdrawalRequestCreated: loggedEvent({
    ...ownRequestEvent,
    description: "The user has asked for a payment; to the user's own connections, as the following events.",
  }),
  withdrawalRequestApproved: loggedEvent({ ...ownRequestEvent, description: 'The payment was approved.' }),
  withdrawalRequestRejected: loggedEvent({
    ...ownRequestEvent,
    description: 'The payment was rejected, and the money is back: `balanceUpdated` comes with it.',
  }),
}

export const routes = {
  createWithdrawalRequest: route({
    description:
      'Asks for a payment of earned money. The amount of the option is set aside at once, and comes back when the request ' +
      `is rejected. ${MAX_PENDING_REQUESTS} requests of a user can be pending. ` +
      '`amount`, if given, is the one that was shown: ' +
      'another one is refused with `PriceChanged`.',
    method: 'POST',
    path: '/withdrawal-requests',
    access: 'member',
    limiter: REQUEST_LIMIT,
    retry: 'idempotencyKey',
    input: v.object(
      {
        withdrawalOptionId: v.pipe(v.number(MISSING_FIELDS_TEXT), WithdrawalOptionId),
        firstName: Name,
        lastName: Name,
        iban: Iban,
        amount: v.optional(OptionLira),
      },
      // Where one of them is missing.
      MISSING_FIELDS_TEXT,
    ),
    answer: v.object({ success: v.literal(true), message: v.string(), request: MoneyRequest }),
  }),
  approveWithdrawalRequest: route({
    ...decisionRoute,
    description:
      'Approves a pending request: the money that was set aside goes to the bank. A request that is decided already is ' +
      'refused with `RequestDecided`, whose message names who decided it.',
    path: '/withdrawal-requests/:id/approve',
  }),
  rejectWithdrawalRequest: route({
    ...decisionRoute,
    description: 'Rejects a pending request: the money goes back to its owner. Otherwise as approving.',
    path: '/withdrawal-requests/:id/reject',
  }),
  ownWithdrawalRequests: route({
    description: `The payment requests of the sender, the latest first, ${REQUESTS_PER_PAGE} at a time.`,
    method: 'GET',
    path: '/withdrawal-requests/user',
    access: 'member',
    limiter: REQUEST_READ_LIMIT,
    input: v.object({ before: v.optional(PageCursor) }),
    answer: v.object({
      success: v.literal(true),
      withdrawalRequests: v.array(MoneyRequest),
      /** The `before` of the next page, null on the last one. */
      next: v.nullable(v.string()),
    }),
  }),
}
