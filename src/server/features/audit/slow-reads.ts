import { listActions } from '../../model/audit/queries.ts'

export const slowReads = { listActions }

type OwnSlowReads = typeof slowReads
declare module '../../kernel/database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
