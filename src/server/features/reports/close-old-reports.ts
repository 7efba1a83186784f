import { OPEN_REPORT_RETENTION_MS } from '../../../shared/reports/limits.ts'
import { DECISION_LABELS } from '../../../shared/reports/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { refreshGroup } from '../../model/reports/groups.ts'
import { query, updateRow } from '../../model/schema/query.ts'

/** Reports that one step closes. */
const STEP = 100

const oldOpenReports = query<{ before: number }>()((db, p) =>
  db
    .selectFrom('report')
    .select(['id', 'reportedId'])
    .where('isOpen', '=', 1)
    .where('createdAt', '<=', p('before'))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(STEP),
)
const closeReport = updateRow('report', ['id'], ['decidedAt'], { isOpen: 0 })

/** Closes some old open reports, as if nothing had been decided about each reported user. The reporters get no text. */
export const closeOldReports = defineCommand({
  name: 'closeOldReports',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const old = tx.all(oldOpenReports, { before: tx.now - OPEN_REPORT_RETENTION_MS })
    for (const { id } of old) tx.run(closeReport, { id, decidedAt: tx.now })
    for (const [targetUserId, reports] of Map.groupBy(old, ({ reportedId }) => reportedId)) {
      refreshGroup(tx, targetUserId)
      const details = { decision: DECISION_LABELS.nothing, reportCount: reports.length }
      recordAction(tx, { kind: 'oldReportsClosed', actorId: null, targetUserId, details })
    }
    return { removed: old.length }
  },
})
