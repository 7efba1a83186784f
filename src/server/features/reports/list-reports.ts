import type { ReportId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { REPORTS_PER_PAGE } from '../../../shared/reports/limits.ts'
import type { Report, ReportContent, ReportSubject } from '../../../shared/reports/report.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import { userById } from '../../model/accounts/queries.ts'
import { findDecision, type ReportRow, reportById, toDecision } from '../../model/reports/queries.ts'
import { query } from '../../model/schema/query.ts'

type PageParams = { reportedId: UserId; before: ReportId; limit: number }

function pageOf(isOpen: Flag | null) {
  return query<PageParams>()((db, p) =>
    db
      .selectFrom('report')
      .selectAll()
      .where('reportedId', '=', p('reportedId'))
      .$if(isOpen !== null, (rows) => rows.where('isOpen', '=', isOpen ?? 0))
      .where('id', '<', p('before'))
      .orderBy('id', 'desc')
      .limit(p('limit')),
  )
}
const pages = { open: pageOf(1), decided: pageOf(0), all: pageOf(null) }

const contentById = query<{ id: ReportId }>()((db, p) =>
  db.selectFrom('reportContent').select('content').where('reportId', '=', p('id')),
)
const contentExists = query<{ id: ReportId }>()((db, p) =>
  db.selectFrom('reportContent').select('reportId').where('reportId', '=', p('id')),
)
const nameOfRoom = query<{ id: RoomId }>()((db, p) => db.selectFrom('room').select('name').where('id', '=', p('id')))

/** A page of the reports of one reported user, the latest first, with ids below `before`. */
export function listReports(
  reader: Pick<Reader, 'get' | 'all'>,
  reportedId: UserId,
  { state, before = Number.MAX_SAFE_INTEGER }: { state: keyof typeof pages; before?: ReportId | undefined },
): { reports: Report[]; next: ReportId | null } {
  const rows = reader.all(pages[state], { reportedId, before, limit: REPORTS_PER_PAGE + 1 })
  const shown = rows.slice(0, REPORTS_PER_PAGE)
  return {
    reports: shown.map((row) => toReport(reader, row)),
    next: rows.length > REPORTS_PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** A report by its id; undefined when there is none. */
export function findReport(reader: Pick<Reader, 'get'>, id: ReportId): Report | undefined {
  const row = reader.get(reportById, { id })
  return row && toReport(reader, row)
}

/** What a report keeps; undefined when it is deleted. Only for a read that is recorded (record-content-read.ts). */
export function findContent(reader: Pick<Reader, 'get'>, id: ReportId): ReportContent | undefined {
  const row = reader.get(contentById, { id })
  return row && (JSON.parse(row.content) as ReportContent) // transactions.ts writes it
}

function toReport(reader: Pick<Reader, 'get'>, row: ReportRow): Report {
  const reporter = reader.get(userById, { id: row.reporterId })
  const decision = row.decisionId === null ? undefined : findDecision(reader, row.decisionId)
  return {
    id: row.id,
    kind: row.kind,
    reason: row.reason,
    note: row.note,
    reporter: {
      id: row.reporterId,
      username: reporter?.username ?? '',
      isGuest: reporter?.isGuest === 1,
    },
    createdAt: row.createdAt,
    isOpen: row.isOpen === 1,
    hasContent: reader.get(contentExists, { id: row.id }) !== undefined,
    subject: subjectOf(reader, row),
    decision: decision ? toDecision(reader, decision) : null,
  }
}

function subjectOf(reader: Pick<Reader, 'get'>, { kind, subjectId, roomId, callId }: ReportRow): ReportSubject {
  return {
    messageId: kind === 'post' ? null : subjectId,
    postId: kind === 'post' ? subjectId : null,
    roomId,
    roomName: roomId === null ? null : (reader.get(nameOfRoom, { id: roomId })?.name ?? null),
    callId,
  }
}
