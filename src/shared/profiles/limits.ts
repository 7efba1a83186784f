import type { PersonLimit } from '../protocol/define.ts'

/** Profiles read and watched by one user: an open one is read again after each change and once a minute. */
export const PROFILE_READ_LIMIT: PersonLimit = { points: 240, perMs: 60_000 }
/** Profiles that one connection watches; one more ends the oldest. */
export const MAX_WATCHED_PROFILES = 8
