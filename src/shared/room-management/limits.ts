import type { PersonLimit } from '../protocol/define.ts'

/** Naming and removing admins: a burst of 30, then one in ten seconds. */
export const ROOM_ADMIN_LIMIT: PersonLimit = { points: 30, perMs: 300_000 }
/** The most admins of one room. */
export const MAX_ROOM_ADMINS = 50
