import type { PersonLimit } from '../protocol/define.ts'

/** Changes of a room by its staff: a burst of 20, then one in three seconds. */
export const ROOM_CHANGE_LIMIT: PersonLimit = { points: 20, perMs: 60_000 }
