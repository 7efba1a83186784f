import type { PersonLimit } from '../protocol/define.ts'

/** Reading one's balance and the pages of one's statement. */
export const BALANCE_READ_LIMIT: PersonLimit = { points: 240, perMs: 60_000 }
