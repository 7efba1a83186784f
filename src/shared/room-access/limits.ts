import type { PersonLimit } from '../protocol/define.ts'

/** Tries of a room's password: of one person over all rooms, a burst of 5, then one a minute. */
export const ROOM_PASSWORD_TRIES_OF_PERSON: PersonLimit = { points: 5, perMs: 5 * 60_000 }
/** Of one address, which households share: a burst of 20, then one in 15 seconds. */
export const ROOM_PASSWORD_TRIES_OF_ADDRESS: PersonLimit = { points: 20, perMs: 5 * 60_000 }
/** Of one room, by everybody: a burst of 100, then one in 3 seconds. */
export const ROOM_PASSWORD_TRIES_OF_ROOM: PersonLimit = { points: 100, perMs: 5 * 60_000 }

/** Changes of a room by its staff: a burst of 20, then one in three seconds. */
export const ROOM_CHANGE_LIMIT: PersonLimit = { points: 20, perMs: 60_000 }
