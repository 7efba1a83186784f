import * as v from 'valibot'
import { Gender } from '../../accounts/protocol.ts'
import { Count, loggedEvent, PageCursor, route, Text, Time } from '../../protocol/define.ts'
import { MoneyRequestId, UserId } from '../../protocol/ids.ts'
import { Lira } from '../lira.ts'
import { isDay } from '../turkish-day.ts'
import { MAX_EXPORTED_REQUESTS, REQUEST_EXPORT_LIMIT, REVIEWED_REQUESTS_PER_PAGE } from '../withdrawals/limits.ts'
import { REQUEST_READ_LIMIT } from './limits.ts'
import { requestKinds, requestStatuses } from './request.ts'

const RequestKind = v.picklist(requestKinds)
const RequestStatus = v.picklist(requestStatuses)

/** A request about money as root admins see it, with an amount in lira. */
export const ReviewedRequest = v.object({
  id: MoneyRequestId,
  kind: RequestKind,
  userId: UserId,
  username: v.string(),
  avatarUrl: v.nullable(v.string()),
  gender: v.nullable(Gender),
  amount: Lira,
  status: RequestStatus,
  createdAt: Time,
  decidedAt: v.nullable(Time),
  /** The name of the root admin; null while it is pending. */
  decidedBy: v.nullable(v.string()),
  /** The name on the bank account. */
  accountName: v.string(),
  /** Where the payment goes, without spaces; null for money that is loaded. */
  iban: v.nullable(v.string()),
})
export type ReviewedRequest = v.InferOutput<typeof ReviewedRequest>

/** Which requests are listed. */
const filterFields = {
  kind: v.optional(RequestKind),
  status: v.optional(RequestStatus),
  /** A part of the person's name. */
  search: v.optional(Text(64)),
}
const RequestFilter = v.object(filterFields)
export type RequestFilter = v.InferOutput<typeof RequestFilter>

/** A sum in lira. */
export const RequestTotal = v.object({ kind: RequestKind, status: RequestStatus, count: Count, amount: Lira })
export type RequestTotal = v.InferOutput<typeof RequestTotal>

const reading = { method: 'GET', access: 'rootadmin' } as const

export const events = {
  requestDecided: loggedEvent({
    description: 'A request about money was approved or rejected; for root admins.',
    payload: v.object({
      kind: RequestKind,
      requestId: MoneyRequestId,
      status: v.picklist(['approved', 'rejected']),
      decidedBy: v.string(),
      decidedAt: Time,
    }),
  }),
}

export const routes = {
  moneyRequests: route({
    ...reading,
    description:
      `The requests for payments and balance loads, the latest first, ${REVIEWED_REQUESTS_PER_PAGE} at a time, by kind, state and ` +
      'a part of the name of the person.',
    path: '/root-admin/requests',
    limiter: REQUEST_READ_LIMIT,
    input: v.object({ ...filterFields, before: v.optional(PageCursor) }),
    answer: v.object({
      success: v.literal(true),
      requests: v.array(ReviewedRequest),
      /** The `before` of the next page, null on the last one. */
      next: v.nullable(v.string()),
    }),
  }),
  requestSummary: route({
    ...reading,
    description:
      'How many requests were made on a day of Turkish time, and their sums in lira, by kind and present state. The day is ' +
      'today without `day`.',
    path: '/root-admin/requests/summary',
    limiter: REQUEST_READ_LIMIT,
    input: v.object({ day: v.optional(v.pipe(Text(10), v.check(isDay, 'Geçerli bir gün seç.'))) }),
    answer: v.object({ success: v.literal(true), day: v.string(), totals: v.array(RequestTotal) }),
  }),
  exportRequests: route({
    ...reading,
    description: `The latest ${MAX_EXPORTED_REQUESTS} requests of a filter as CSV; \`isCut\`: there are more.`,
    path: '/root-admin/requests/export',
    limiter: REQUEST_EXPORT_LIMIT,
    input: RequestFilter,
    answer: v.object({ success: v.literal(true), csv: v.string(), count: Count, isCut: v.boolean() }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { ReviewedRequest, RequestTotal }
