import { searchMessages } from './search-messages.ts'

export const slowReads = { searchMessages }

type OwnReads = typeof slowReads
declare module '../database/define-slow-reads.ts' {
  interface SlowReads extends OwnReads {}
}
