import { listReportGroups } from './list-groups.ts'

export const slowReads = { listReportGroups }

type OwnSlowReads = typeof slowReads
declare module '../../kernel/database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
