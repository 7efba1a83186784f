import type { PersonLimit } from '../protocol/define.ts'

/** Changes of the own profile and settings, which may be sent to everyone: 30 at once, then one in 10 seconds. */
export const OWN_CHANGE_LIMIT: PersonLimit = { points: 30, perMs: 5 * 60_000 }
