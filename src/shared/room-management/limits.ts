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

/** The edges within which a background is stored, for wide screens and for phones, in pixels. */
export const BACKGROUND_SIDES_PX = [1920, 960] as const
/** Backgrounds and pictures of popups that one address uploads: decoding one can take two seconds. */
export const ADDRESS_PICTURE_LIMIT: PersonLimit = { points: 60, perMs: 600_000 }

/** How long and how many visits of a room are kept. */
export const VISIT_RETENTION_MS = 7 * 24 * 60 * 60_000
export const MAX_KEPT_VISITS = 500
export const VISITORS_PER_PAGE = 50
/** Reading the visitors of rooms. */
export const VISITORS_LIMIT: PersonLimit = { points: 60, perMs: 60_000 }
