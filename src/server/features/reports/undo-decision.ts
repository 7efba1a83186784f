import type { ReportDecisionId, ReportId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Decision } from '../../../shared/reports/report.ts'
import {
  DECISION_LABELS,
  DECISION_NOT_FOUND_TEXT,
  decisionUndoneText,
  REPORT_ABOUT_SELF_TEXT,
} from '../../../shared/reports/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { removeRequestNotifications } from '../../model/notifications/transactions.ts'
import { refreshGroup } from '../../model/reports/groups.ts'
import {
  type DecisionRow,
  findDecision,
  namedUser,
  type ReportRow,
  reportById,
  reportIdsOf,
  toDecision,
} from '../../model/reports/queries.ts'
import { query } from '../../model/schema/query.ts'
import { type DecisionEffects, undoEffects } from './decision-effects.ts'

const setUndone = query<{ id: ReportDecisionId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('reportDecision')
    .set({ undoneAt: p('now'), undoneById: p('by') })
    .where('id', '=', p('id')),
)
/** Not where the reporter has reported the same item again since. */
const reopenReport = query<{ id: ReportId }>()((db, p) =>
  db
    .updateTable('report')
    .set({ isOpen: 1, decidedAt: null })
    .where('id', '=', p('id'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('report as later')
            .select('later.id')
            .whereRef('later.reporterId', '=', 'report.reporterId')
            .whereRef('later.kind', '=', 'report.kind')
            .whereRef('later.key', '=', 'report.key')
            .where('later.isOpen', '=', 1),
        ),
      ),
    ),
)

/**
 * Undoes a decision with what can be undone of its effects; its reports are open again. Only root admins; refuses with
 * NotFound, with Forbidden for a decision about the actor, and with ReportDecided when it is undone already.
 */
export const undoDecision = defineCommand({
  name: 'undoReportDecision',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { decisionId }: { decisionId: ReportDecisionId },
  ): { success: true; decision: Decision } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const row = findDecision(tx, decisionId)
    if (!row) return refuse('NotFound', { message: DECISION_NOT_FOUND_TEXT })
    if (row.userId === actor.userId) return refuse('Forbidden', { message: REPORT_ABOUT_SELF_TEXT })
    if (row.undoneAt !== null) return refuseUndone(tx, row)
    tx.run(setUndone, { id: decisionId, by: actor.userId, now: tx.now })
    undoEffects(tx, actor, JSON.parse(row.effects) as DecisionEffects) // decide-reports.ts writes them
    const reports = reportIdsOf(row).flatMap((id) => tx.get(reportById, { id }) ?? [])
    reopenReports(tx, row, reports)
    recordAction(tx, {
      kind: 'reportDecisionUndone',
      actorId: actor.userId,
      targetUserId: row.userId,
      subject: { type: 'reportDecision', id: decisionId },
      details: { decision: DECISION_LABELS[row.decision], reportCount: reports.length },
    })
    refreshGroup(tx, row.userId)
    const undone = { ...row, undoneAt: tx.now, undoneById: actor.userId }
    return { success: true, decision: toDecision(tx, undone) }
  },
})

function refuseUndone(tx: Transaction, { undoneById, undoneAt }: DecisionRow): Refusal {
  if (undoneById === null || undoneAt === null) return refuse('ReportDecided')
  const { username } = namedUser(tx, undoneById)
  return refuse('ReportDecided', { message: decisionUndoneText(username, undoneAt) })
}

/** The notification of the reporters goes. */
function reopenReports(tx: Transaction, { id }: DecisionRow, reports: readonly ReportRow[]): void {
  for (const report of reports) if (report.decisionId === id) tx.run(reopenReport, { id: report.id })
  removeRequestNotifications(tx, { type: 'reportDecided', requestId: id }, null)
}
