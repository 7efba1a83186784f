import type { Generated } from 'kysely'
import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { ReportDecisionId, ReportId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { DecisionKind, ReportKind, ReportReason } from '../../../shared/reports/rules.ts'
import type { Flag } from '../../kernel/database/schema.ts'

export interface ReportTables {
  report: {
    id: Generated<ReportId>
    kind: ReportKind
    /** Names the reported thing within its kind. */
    key: string
    reportedId: UserId
    reporterId: UserId
    reason: ReportReason
    note: string
    /** Of a message or a post. */
    subjectId: number | null
    roomId: RoomId | null
    callId: string | null
    /** Open reports of one user with the same source count once; null when the content is deleted. */
    source: string | null
    /** Counts nothing: of a ghost-banned reporter. */
    isSunk: Flag
    /** Not used any more; a later release drops it. */
    weight: number
    createdAt: number
    isOpen: Flag
    /** The latest decision, also one that an earlier release has undone. */
    decisionId: ReportDecisionId | null
    decidedAt: number | null
  }
  /** What a report keeps, as JSON. */
  reportContent: { reportId: ReportId; content: string }
  /** The files of it: names below `/uploads/`. */
  reportFile: { path: string; reportId: ReportId }
  /** The reports of one reported user in the queue. */
  reportGroup: {
    userId: UserId
    openCount: number
    decidedCount: number
    /** Sources of the open reports. */
    sourceCount: number
    latestReportId: ReportId
    /** Not used any more; a later release drops it. */
    weight: number
    lastDecidedAt: number | null
  }
  /** Triggers keep it as it was made. */
  reportDecision: {
    id: Generated<ReportDecisionId>
    userId: UserId
    decision: DecisionKind
    duration: BanDuration | null
    banReason: BanReason | null
    text: string
    /** JSON: an array of ids. */
    reportIds: string
    /** Not used any more; a later release drops it. */
    effects: string
    decidedById: UserId
    at: number
    /** Of an earlier release, whose decisions could be undone. */
    undoneAt: number | null
  }
}
