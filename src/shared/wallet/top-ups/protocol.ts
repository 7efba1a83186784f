import * as v from 'valibot'
import { loggedEvent, PageCursor, route } from '../../protocol/define.ts'
import { StarOptionId } from '../../protocol/ids.ts'
import { Lira } from '../lira.ts'
import { MAX_PENDING_REQUESTS, REQUEST_LIMIT, REQUEST_READ_LIMIT, REQUESTS_PER_PAGE } from '../requests/limits.ts'
import { MoneyRequest, requestSender } from '../requests/request.ts'
import { AccountName, decisionRoute, ownRequestEvent } from '../requests/schemas.ts'
import { MAX_SENDER_NAME_LENGTH } from './limits.ts'
import { SENDER_MISSING_TEXT, TOP_UP_AMOUNT_MISSING_TEXT } from './texts.ts'

/** The holder of the paying bank account, on one line. */
const SenderName = AccountName(MAX_SENDER_NAME_LENGTH, SENDER_MISSING_TEXT)

export const events = {
  newStarRequest: loggedEvent({
    description:
      "A user asks for a load of balance; for root admins. The sender's name is in `GET /root-admin/requests`.",
    payload: v.object({ ...MoneyRequest.entries, ...requestSender }),
  }),
  starRequestCreated: loggedEvent({
    ...ownRequestEvent,
    description: "The user has asked for a load; to the user's own connections, as the following events.",
  }),
  starRequestApproved: loggedEvent({
    ...ownRequestEvent,
    description: 'The load was approved. It adds nothing to the balance: `balanceUpdated` comes with it.',
  }),
  starRequestRejected: loggedEvent({ ...ownRequestEvent, description: 'The load was rejected.' }),
}

export const routes = {
  createStarRequest: route({
    description:
      `Asks for a load of balance, which a root admin approves when the money has come. ${MAX_PENDING_REQUESTS} requests ` +
      'of a user can be pending. `amount`, if given, is the one that was shown: another one is refused with `PriceChanged`.',
    method: 'POST',
    path: '/star-requests',
    // Guests get the text of the specification, not that of a route for members.
    access: 'signedIn',
    limiter: REQUEST_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({
      starOptionId: v.pipe(v.number(TOP_UP_AMOUNT_MISSING_TEXT), StarOptionId),
      senderUser: SenderName,
      amount: v.optional(Lira),
    }),
    answer: v.object({ success: v.literal(true), message: v.string(), request: MoneyRequest }),
  }),
  approveStarRequest: route({
    ...decisionRoute,
    description:
      'Approves a pending request: the money goes from the bank to its owner. A request that is decided already is ' +
      'refused with `RequestDecided`, whose message names who decided it and when.',
    path: '/star-requests/:id/approve',
  }),
  rejectStarRequest: route({
    ...decisionRoute,
    description: 'Rejects a pending request, and no money moves. Otherwise as approving.',
    path: '/star-requests/:id/reject',
  }),
  ownStarRequests: route({
    description: `The load requests of the sender, the latest first, ${REQUESTS_PER_PAGE} at a time.`,
    method: 'GET',
    path: '/star-requests/user',
    access: 'member',
    limiter: REQUEST_READ_LIMIT,
    input: v.object({ before: v.optional(PageCursor) }),
    answer: v.object({
      success: v.literal(true),
      starRequests: v.array(MoneyRequest),
      /** The `before` of the next page, null on the last one. */
      next: v.nullable(v.string()),
    }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { MoneyRequest }
