import type { PersonLimit } from '../protocol/define.ts'

/** The most options of one kind. */
export const MAX_OPTIONS = 30
/** Changes of options, prices and bank details by one root admin. */
export const OPTION_CHANGE_LIMIT: PersonLimit = { points: 60, perMs: 60_000 }
