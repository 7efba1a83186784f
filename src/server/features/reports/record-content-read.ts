import type { ReportId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import {
  REPORT_ABOUT_SELF_TEXT,
  REPORT_CONTENT_DELETED_TEXT,
  REPORT_KIND_LABELS,
  REPORT_NOT_FOUND_TEXT,
} from '../../../shared/reports/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { reportById } from '../../model/reports/queries.ts'
import { findContent } from './list-reports.ts'

/**
 * Records that a root admin reads what a report keeps, before it is shown. Each read is an entry of its own, so there is
 * no retry by key. Refuses with Forbidden, also for a report about the actor, or with NotFound where nothing is kept.
 */
export const recordContentRead = defineCommand({
  name: 'recordReportRead',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null, { reportId }: { reportId: ReportId }): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const report = tx.get(reportById, { id: reportId })
    if (!report) return refuse('NotFound', { message: REPORT_NOT_FOUND_TEXT })
    if (report.reportedId === actor.userId) return refuse('Forbidden', { message: REPORT_ABOUT_SELF_TEXT })
    if (!findContent(tx, reportId)) return refuse('NotFound', { message: REPORT_CONTENT_DELETED_TEXT })
    recordAction(tx, {
      kind: 'reportRead',
      actorId: actor.userId,
      targetUserId: report.reportedId,
      roomId: report.roomId,
      subject: { type: 'report', id: reportId },
      details: { reportKind: REPORT_KIND_LABELS[report.kind] },
    })
    return { success: true }
  },
})
