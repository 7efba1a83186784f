import { checkLedgerStep } from './check-ledger.ts'
import { exportRequests } from './requests/export-requests.ts'
import { listRequests } from './requests/review-queries.ts'
import { exportStatement } from './statement.ts'

export const slowReads = { checkLedgerStep, exportRequests, exportStatement, listRequests }

type OwnSlowReads = typeof slowReads
declare module '../../kernel/database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
