import { findLinkedAccounts } from './linked-accounts.ts'

export const slowReads = { findLinkedAccounts }

type OwnSlowReads = typeof slowReads
declare module '../../kernel/database/define-slow-reads.ts' {
  interface SlowReads extends OwnSlowReads {}
}
