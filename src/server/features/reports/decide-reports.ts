import { endOfDuration } from '../../../shared/moderation/rules.ts'
import type { ReportId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Decision } from '../../../shared/reports/report.ts'
import type { DecisionKind } from '../../../shared/reports/rules.ts'
import {
  DECISION_LABELS,
  REPORT_ABOUT_SELF_TEXT,
  REPORT_ACTED_TEXT,
  REPORT_NOT_FOUND_TEXT,
  REPORT_REASON_LABELS,
  REPORT_REVIEWED_TEXT,
  REPORTS_OF_SEVERAL_TEXT,
  ROOT_ADMIN_REPORTED_TEXT,
  reportDecidedText,
} from '../../../shared/reports/texts.ts'
import { plainText } from '../../../shared/text/plain-text.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { addSiteNotification } from '../../model/notifications/transactions.ts'
import { refreshGroup } from '../../model/reports/groups.ts'
import { findDecision, namedUser, type ReportRow, reportById, toDecision } from '../../model/reports/queries.ts'
import { insertRow, updateRow } from '../../model/schema/query.ts'
import { applyDecision, type DecisionTerms, durationOf } from './decision-effects.ts'

export interface DecideReports extends DecisionTerms {
  reportIds: ReportId[]
  /** To the reporters; '' for the usual text. */
  reporterText: string
}

const insertDecision = insertRow(
  'reportDecision',
  ['userId', 'decision', 'duration', 'banReason', 'text', 'reportIds', 'decidedById', 'at'],
  { effects: '{}', undoneAt: null },
)
const closeReport = updateRow('report', ['id'], ['decisionId', 'decidedAt'], { isOpen: 0 })

/**
 * Decides open reports of one user and does what is decided, all in one transaction. The first root admin decides: others
 * are refused with ReportDecided. Refuses too with Forbidden, NotFound, InvalidInput, and as the measure does.
 */
export const decideReports = defineCommand({
  name: 'decideReports',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: DecideReports): { success: true; decision: Decision } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const reports = findOpenReports(tx, input.reportIds)
    if (reports instanceof Refusal) return reports
    const target = findTarget(tx, actor, reports, input.decision)
    if (target instanceof Refusal) return target
    const terms = { ...input, text: textToReported(input, reports) }
    const refusal = applyDecision(tx, actor, target, reports, terms)
    if (refusal) return refusal
    const decision = storeDecision(tx, actor, { target, reports, terms })
    const reporterIds = new Set(reports.map(({ reporterId }) => reporterId))
    notifyReporters(tx, reporterIds, decision, plainText(input.reporterText))
    refreshGroup(tx, target.id)
    return { success: true, decision }
  },
})

/** The reports, all open and about one user; else NotFound, InvalidInput, or ReportDecided with who was first and when. */
function findOpenReports(tx: Transaction, reportIds: readonly ReportId[]): ReportRow[] | Refusal {
  const reports = [...new Set(reportIds)].map((id) => tx.get(reportById, { id }))
  const found = reports.filter((report) => report !== undefined)
  if (found.length < reports.length) return refuse('NotFound', { message: REPORT_NOT_FOUND_TEXT })
  if (new Set(found.map(({ reportedId }) => reportedId)).size > 1)
    return refuse('InvalidInput', { message: REPORTS_OF_SEVERAL_TEXT, path: 'reportIds' })
  const decided = found.find(({ isOpen }) => isOpen === 0)
  return decided ? refuseDecided(tx, decided) : found
}

function refuseDecided(tx: Transaction, { decisionId }: ReportRow): Refusal {
  const decision = decisionId === null ? undefined : findDecision(tx, decisionId)
  if (!decision) return refuse('ReportDecided')
  const { username } = namedUser(tx, decision.decidedById)
  return refuse('ReportDecided', { message: reportDecidedText(username, decision.at) })
}

/** The reported user. Nobody decides about themselves, and nothing can be done to root admins. */
function findTarget(
  tx: Transaction,
  actor: Actor,
  [first]: readonly ReportRow[],
  decision: DecisionKind,
): UserRow | Refusal {
  const target = first && tx.get(userById, { id: first.reportedId })
  if (!target) return refuse('NotFound', { message: REPORT_NOT_FOUND_TEXT })
  if (target.id === actor.userId) return refuse('Forbidden', { message: REPORT_ABOUT_SELF_TEXT })
  const isProtected = target.role === 'rootadmin' && decision !== 'nothing'
  return isProtected ? refuse('Forbidden', { message: ROOT_ADMIN_REPORTED_TEXT }) : target
}

function storeDecision(
  tx: Transaction,
  actor: Actor,
  { target, reports, terms }: { target: UserRow; reports: readonly ReportRow[]; terms: DecisionTerms },
): Decision {
  const { decision, banReason, text } = terms
  const duration = durationOf(terms)
  const { lastId: id } = tx.run(insertDecision, {
    userId: target.id,
    decision,
    duration,
    banReason: decision === 'ban' ? banReason : null,
    text: decision === 'warn' || decision === 'mute' ? text : '',
    reportIds: JSON.stringify(reports.map((report) => report.id)),
    decidedById: actor.userId,
    at: tx.now,
  })
  for (const report of reports) tx.run(closeReport, { id: report.id, decisionId: id, decidedAt: tx.now })
  recordAction(tx, {
    kind: 'reportsDecided',
    actorId: actor.userId,
    targetUserId: target.id,
    subject: { type: 'reportDecision', id },
    reason: text || null,
    endsAt: duration === null ? null : endOfDuration(duration, tx.now),
    details: { decision: DECISION_LABELS[decision], reportCount: reports.length },
  })
  const row = findDecision(tx, id)
  if (!row) throw new Error(`the decision ${id} has no row`)
  return toDecision(tx, row)
}

/** A mute without a text has the reason of the first report: its notice names one. */
function textToReported({ decision, text }: DecisionTerms, [first]: readonly ReportRow[]): string {
  const written = plainText(text)
  return written === '' && decision === 'mute' && first ? REPORT_REASON_LABELS[first.reason] : written
}

/** Tells the reporters that their reports were looked at, never what was done to whom. */
function notifyReporters(
  tx: Transaction,
  reporterIds: ReadonlySet<UserId>,
  { id, decision }: Decision,
  text: string,
): void {
  const content = text || (decision === 'nothing' ? REPORT_REVIEWED_TEXT : REPORT_ACTED_TEXT)
  for (const userId of reporterIds) addSiteNotification(tx, userId, { type: 'reportDecided', requestId: id, content })
}
