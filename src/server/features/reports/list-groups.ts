import type { UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import { REPORT_GROUPS_PER_PAGE } from '../../../shared/reports/limits.ts'
import type { ReportGroup } from '../../../shared/reports/report.ts'
import type { ReportKind, ReportReason } from '../../../shared/reports/rules.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { countOpenGroups } from '../../model/reports/queries.ts'
import { getActiveRestriction } from '../../model/restrictions/queries.ts'
import { query } from '../../model/schema/query.ts'

export interface ListGroups {
  state: 'open' | 'decided'
  kind: ReportKind | null
  reason: ReportReason | null
  before: string | null
  /** Epoch milliseconds. */
  now: number
}

export interface GroupPage {
  groups: ReportGroup[]
  next: string | null
  totalOpen: number
}

type PageParams = { key: number; id: number; kind: ReportKind; reason: ReportReason; limit: number }
type Filter = 'kind' | 'reason'

/** Each list is one range of one index; with filters, of the users whom one report with all of them is about. */
function pageOf(state: ListGroups['state'], filters: readonly Filter[]) {
  const [key, id, count, isOpen] =
    state === 'open'
      ? (['sourceCount', 'latestReportId', 'openCount', 1] as const)
      : (['lastDecidedAt', 'userId', 'decidedCount', 0] as const)
  return query<PageParams>()((db, p) =>
    db
      .selectFrom('reportGroup')
      .selectAll()
      .where(count, '>', 0)
      .where((eb) => eb(eb.refTuple(key, id), '<', eb.tuple(p('key'), p('id'))))
      .$if(filters.length > 0, (groups) =>
        groups.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('report')
              .select('report.id')
              .whereRef('report.reportedId', '=', 'reportGroup.userId')
              .where('report.isOpen', '=', isOpen)
              .where((eb) => eb.and(filters.map((filter) => eb(`report.${filter}`, '=', p(filter))))),
          ),
        ),
      )
      .orderBy(key, 'desc')
      .orderBy(id, 'desc')
      .limit(p('limit')),
  )
}
const pagesOf = (state: ListGroups['state']) => ({
  ofAll: pageOf(state, []),
  ofKind: pageOf(state, ['kind']),
  ofReason: pageOf(state, ['reason']),
  ofBoth: pageOf(state, ['kind', 'reason']),
})
const pages = { open: pagesOf('open'), decided: pagesOf('decided') }
const groupOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('reportGroup').selectAll().where('userId', '=', p('userId')),
)
type StateParams = { userId: UserId; isOpen: Flag }
const factsOfGroup = query<StateParams>()((db, p) =>
  db
    .selectFrom('report')
    .select((eb) => [
      eb.fn.count<number>('reporterId').distinct().as('reporterCount'),
      eb.fn.min<number | null>('createdAt').as('firstAt'),
      eb.fn.max<number | null>('createdAt').as('latestAt'),
    ])
    .where('reportedId', '=', p('userId'))
    .where('isOpen', '=', p('isOpen')),
)
const kindsOfGroup = query<StateParams>()((db, p) =>
  db
    .selectFrom('report')
    .select(['kind', 'reason'])
    .distinct()
    .where('reportedId', '=', p('userId'))
    .where('isOpen', '=', p('isOpen')),
)

type GroupRow = NonNullable<ReturnType<typeof findGroupRow>>

/**
 * A page of reported users: with open ones by the number of reporters and the latest report, with decided ones by the latest
 * decision. Runs in the read worker.
 */
export function listReportGroups(reader: Reader, { state, kind, reason, before, now }: ListGroups): GroupPage {
  const [key, id] = parsePageCursor(before ?? FIRST_PAGE)
  const { ofAll, ofKind, ofReason, ofBoth } = pages[state]
  const pageQuery = kind === null ? (reason === null ? ofAll : ofReason) : reason === null ? ofKind : ofBoth
  const limit = REPORT_GROUPS_PER_PAGE + 1
  const rows = reader
    .all(pageQuery, { key, id, kind: kind ?? 'profile', reason: reason ?? 'other', limit })
    .map((row) => ({ ...row, id: state === 'open' ? row.latestReportId : row.userId }))
  const { shown, next } = toPage(rows, REPORT_GROUPS_PER_PAGE, ({ sourceCount, lastDecidedAt }) =>
    state === 'open' ? sourceCount : (lastDecidedAt ?? 0),
  )
  const groups = shown.flatMap((row) => toGroup(reader, row, state === 'open' ? 1 : 0, now) ?? [])
  return { groups, next, totalOpen: countOpenGroups(reader) }
}

/** The reports of one user, of open ones if there are any; null when there are none at all. */
export function findGroup(reader: Pick<Reader, 'get' | 'all'>, userId: UserId, now: number): ReportGroup | null {
  const row = findGroupRow(reader, userId)
  return row ? toGroup(reader, row, row.openCount > 0 ? 1 : 0, now) : null
}

function findGroupRow(reader: Pick<Reader, 'get'>, userId: UserId) {
  return reader.get(groupOfUser, { userId })
}

function toGroup(reader: Pick<Reader, 'get' | 'all'>, row: GroupRow, isOpen: Flag, now: number): ReportGroup | null {
  const { userId } = row
  const user = reader.get(userById, { id: userId })
  if (!user) return null
  const facts = reader.get(factsOfGroup, { userId, isOpen })
  const kinds = reader.all(kindsOfGroup, { userId, isOpen })
  return {
    user: toUserSummary(user, now),
    userIsBanned: getActiveRestriction(reader, { kind: 'siteBan', userId }, now) !== undefined,
    isGone: user.nameReleasedAt !== null,
    openCount: row.openCount,
    decidedCount: row.decidedCount,
    reporterCount: facts?.reporterCount ?? 0,
    kinds: [...new Set(kinds.map(({ kind }) => kind))],
    reasons: [...new Set(kinds.map(({ reason }) => reason))],
    firstAt: facts?.firstAt ?? 0,
    latestAt: facts?.latestAt ?? 0,
  }
}
