import type { PersonLimit } from '../protocol/define.ts'

/** Naming and removing admins: a burst of 30, then one in ten seconds. */
export const ROOM_ADMIN_LIMIT: PersonLimit = { points: 30, perMs: 300_000 }
/** The most admins of one room. */
export const MAX_ROOM_ADMINS = 50

/** The longest greeting, in UTF-16 units, and its lines. */
export const MAX_GREETING_LENGTH = 500
export const MAX_GREETING_LINES = 8

/** The longest wait between two messages of one user that a room may ask for. */
export const MAX_SLOW_MODE_SECONDS = 3_600
