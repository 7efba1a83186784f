import { checkLedgerStep } from './check-ledger.ts'

export const slowReads = { checkLedgerStep }

type OwnSlowReads = typeof slowReads
declare module '../database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
