import type { ReportId } from '../../../shared/protocol/ids.ts'
import { REPORT_CONTENT_RETENTION_MS } from '../../../shared/reports/limits.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query, updateRow } from '../../model/schema/query.ts'

/** Reports whose contents one step deletes. */
const STEP = 100

const oldReports = query<{ before: number }>()((db, p) =>
  db
    .selectFrom('report')
    .select('id')
    .where('isOpen', '=', 0)
    .where('source', 'is not', null)
    .where('decidedAt', '<=', p('before'))
    .orderBy('decidedAt')
    .limit(STEP),
)
const deleteContent = query<{ id: ReportId }>()((db, p) =>
  db.deleteFrom('reportContent').where('reportId', '=', p('id')),
)
const deleteFiles = query<{ id: ReportId }>()((db, p) => db.deleteFrom('reportFile').where('reportId', '=', p('id')))
const forgetTexts = updateRow('report', ['id'], [], { note: '', source: null })

/**
 * Deletes what some old decided reports keep, with the note of the reporter and the mark of the address; the files go with
 * the next sweep of files. That there was a report and what was decided stays.
 */
export const deleteOldContents = defineCommand({
  name: 'deleteOldReportContents',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const old = tx.all(oldReports, { before: tx.now - REPORT_CONTENT_RETENTION_MS })
    for (const { id } of old) {
      tx.run(deleteContent, { id })
      tx.run(deleteFiles, { id })
      tx.run(forgetTexts, { id })
    }
    return { removed: old.length }
  },
})
