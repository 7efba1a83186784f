import type { Selectable } from 'kysely'
import type { CallType } from '../../../shared/calls/protocol.ts'
import type { MessageId, PostId, ReportDecisionId, ReportId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Decision, ReportContentOf } from '../../../shared/reports/report.ts'
import type { ReportKind } from '../../../shared/reports/rules.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import { query, type Tables } from '../schema/query.ts'

export type ReportRow = Selectable<Tables['report']>
export type DecisionRow = Selectable<Tables['reportDecision']>

/** What the server knows of a call of two users; times are in epoch milliseconds. */
export interface CallFacts {
  callId: string
  callType: CallType
  callerId: UserId
  calleeId: UserId
  startedAt: number
  connectedAt: number | null
  endedAt: number | null
}

/** What a reporter names, by kind. */
export interface ReportTargets {
  directMessage: { messageId: MessageId }
  roomMessage: { messageId: MessageId; roomId: RoomId }
  post: { postId: PostId }
  profile: { userId: UserId }
  call: { call: CallFacts }
}

/** What a report keeps of the reported item. */
export interface CapturedItem<K extends ReportKind> {
  reportedId: UserId
  /** Names the item within its kind. */
  key: string
  /** Of a message or a post. */
  subjectId?: number
  roomId?: RoomId
  callId?: string
  content: ReportContentOf<K>
  /** Paths of the content's files, `/uploads/...`; other ones are left out. */
  paths: readonly (string | null)[]
}

/** The item of a report, as a decision about it names it. */
export type ReportedItem = Pick<ReportRow, 'kind' | 'reportedId' | 'subjectId' | 'roomId'>

/** A kind of item that can be reported (sources/). */
export interface ReportSource<K extends ReportKind = ReportKind> {
  /** The item as it is now, if the actor may see it; else a refusal that does not tell whether it exists. */
  capture(tx: Transaction, actor: Actor, target: ReportTargets[K]): CapturedItem<K> | Refusal
  /** Takes the item away for a root admin. Refuses with NotFound when there is nothing to take away any more. */
  remove?(tx: Transaction, actor: Actor, item: ReportedItem): Refusal | null
}

export const reportById = query<{ id: ReportId }>()((db, p) =>
  db.selectFrom('report').selectAll().where('id', '=', p('id')),
)
const decisionById = query<{ id: ReportDecisionId }>()((db, p) =>
  db.selectFrom('reportDecision').selectAll().where('id', '=', p('id')).where('undoneAt', 'is', null),
)
const openGroups = query()((db) =>
  db
    .selectFrom('reportGroup')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('openCount', '>', 0),
)

/** How many users have open reports. */
export function countOpenGroups(reader: Pick<Reader, 'get'>): number {
  return reader.get(openGroups)?.count ?? 0
}

/** The row of a decision; undefined for one that an earlier release has undone. */
export function findDecision(reader: Pick<Reader, 'get'>, id: ReportDecisionId): DecisionRow | undefined {
  return reader.get(decisionById, { id })
}

/** A user as a decision or a group names one. */
export function namedUser(reader: Pick<Reader, 'get'>, id: UserId): { id: UserId; username: string } {
  return { id, username: reader.get(userById, { id })?.username ?? '' }
}

/** A decision as root admins see it. */
export function toDecision(reader: Pick<Reader, 'get'>, row: DecisionRow): Decision {
  return {
    id: row.id,
    decision: row.decision,
    by: namedUser(reader, row.decidedById),
    at: row.at,
    duration: row.duration,
    banReason: row.banReason,
    text: row.text,
    userId: row.userId,
    reportIds: JSON.parse(row.reportIds) as ReportId[], // decide-reports.ts writes them
  }
}
