import { checkLedgerStep } from './check-ledger.ts'
import { exportStatement } from './statement.ts'

export const slowReads = { checkLedgerStep, exportStatement }

type OwnSlowReads = typeof slowReads
declare module '../database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
