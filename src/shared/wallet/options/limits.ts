import type { PersonLimit } from '../../protocol/define.ts'

/** The most options of one kind. */
export const MAX_OPTIONS = 30
/** The highest price or amount of an option, in lira. */
export const MAX_OPTION_LIRA = 1_000_000
/** The most days of premium that are bought at once. */
export const MAX_PREMIUM_DAYS = 3_650
/** Changes of options, prices and bank details by one root admin. */
export const OPTION_CHANGE_LIMIT: PersonLimit = { points: 60, perMs: 60_000 }
