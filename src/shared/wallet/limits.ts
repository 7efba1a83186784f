import type { PersonLimit } from '../protocol/define.ts'

/** Reading one's balance and the pages of one's statement. */
export const BALANCE_READ_LIMIT: PersonLimit = { points: 240, perMs: 60_000 }
/** Parts of an exported statement, of STATEMENT_EXPORT_ROWS rows each. */
export const STATEMENT_EXPORT_LIMIT: PersonLimit = { points: 60, perMs: 10 * 60_000 }
export const STATEMENT_EXPORT_ROWS = 2_000
export const STATEMENT_ROWS_PER_PAGE = 30
