import { sql } from 'kysely'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../../shared/protocol/page-cursor.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import type { RequestFilter, RequestTotal, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import {
  type RequestKind,
  type RequestStatus,
  requestKinds,
  requestStatuses,
} from '../../../../shared/wallet/requests/request.ts'
import { rangeOfDay } from '../../../../shared/wallet/turkish-day.ts'
import { REVIEWED_REQUESTS_PER_PAGE } from '../../../../shared/wallet/withdrawals/limits.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { query } from '../../../model/schema/query.ts'

interface PageParams extends Record<string, string | number> {
  kind: RequestKind
  status: RequestStatus
  needle: string
  at: number
  id: number
  limit: number
}

/** A page of all requests, or of one kind and state: each is a range of an index. */
function pageOf(isOfState: boolean, hasSearch: boolean) {
  return query<PageParams>()((db, p) =>
    db
      .selectFrom('moneyRequest as request')
      .innerJoin('user as person', 'person.id', 'request.userId')
      .leftJoin('user as decider', 'decider.id', 'request.decidedBy')
      .select([
        'request.id',
        'request.kind',
        'request.userId',
        'person.username',
        'person.avatarUrl',
        'person.gender',
        'request.amountKurus',
        'request.status',
        'request.createdAt',
        'request.decidedAt',
        'decider.username as decidedBy',
        sql<string>`coalesce(request.senderName, request.firstName || ' ' || request.lastName)`.as('accountName'),
        'request.iban',
      ])
      .where((eb) => eb(eb.refTuple('request.createdAt', 'request.id'), '<', eb.tuple(p('at'), p('id'))))
      .$if(isOfState, (rows) => rows.where('request.kind', '=', p('kind')).where('request.status', '=', p('status')))
      .$if(hasSearch, (rows) => rows.where(sql<boolean>`instr(person.foldedName, ${p('needle')}) > 0`))
      .orderBy('request.createdAt', 'desc')
      .orderBy('request.id', 'desc')
      .limit(p('limit')),
  )
}

const pages = { ofAll: pageOf(false, false), ofState: pageOf(true, false) }
const searchedPages = { ofAll: pageOf(false, true), ofState: pageOf(true, true) }
const totalsOfRange = query<{ from: number; to: number }>()((db, p) =>
  db
    .selectFrom('moneyRequest')
    .select(['kind', 'status', (eb) => eb.fn.countAll<number>().as('count')])
    .select((eb) => eb.fn.sum<number>('amountKurus').as('sumKurus'))
    .where('createdAt', '>=', p('from'))
    .where('createdAt', '<', p('to'))
    .groupBy(['kind', 'status']),
)

export interface ListRequests extends RequestFilter {
  before?: string | undefined
  /** Rows at most; a page without it. */
  limit?: number
}

/** A page of the requests of both kinds, the latest first. */
export function listRequests(
  reader: Pick<Reader, 'all'>,
  { kind, status, search = '', before = FIRST_PAGE, limit = REVIEWED_REQUESTS_PER_PAGE }: ListRequests,
): { requests: ReviewedRequest[]; next: string | null } {
  const [at, id] = parsePageCursor(before)
  const needle = foldName(search.trim())
  const { ofAll, ofState } = needle === '' ? pages : searchedPages
  const params = { needle, at, id, limit: limit + 1 }
  const states = requestKinds
    .filter((each) => !kind || each === kind)
    .flatMap((each) => requestStatuses.map((state) => ({ kind: each, status: state })))
    .filter((each) => !status || each.status === status)
  const rows =
    kind || status
      ? states.flatMap((state) => reader.all(ofState, { ...params, ...state }))
      : reader.all(ofAll, { ...params, kind: 'star', status: 'pending' }) // both are in the other query only
  rows.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  const { shown, next } = toPage(rows, limit, ({ createdAt }) => createdAt)
  return { requests: shown.map(({ amountKurus, ...row }) => ({ ...row, amount: toLira(amountKurus) })), next }
}

/** How many requests of a day there are, and their sums, for each kind and state. */
export function summariseRequests(reader: Pick<Reader, 'all'>, day: string): RequestTotal[] {
  const rows = reader.all(totalsOfRange, rangeOfDay(day))
  return requestKinds.flatMap((kind) =>
    requestStatuses.map((status) => {
      const row = rows.find((each) => each.kind === kind && each.status === status)
      return { kind, status, count: row?.count ?? 0, amount: toLira(row?.sumKurus ?? 0) }
    }),
  )
}
