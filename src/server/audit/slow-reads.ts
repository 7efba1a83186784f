import { listActions } from './queries.ts'

export const slowReads = { listActions }

type OwnSlowReads = typeof slowReads
declare module '../database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
