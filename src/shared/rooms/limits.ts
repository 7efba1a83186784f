import type { PersonLimit } from '../protocol/define.ts'

/** Joins, pages of messages and replays, which take milliseconds to read: a burst of 30, then one a second. */
export const SNAPSHOT_LIMIT: PersonLimit = { points: 30, perMs: 30_000 }

/** How many of the listed rooms a page carries, and the counts of how many the scope `busiest` covers. */
export const BUSIEST_ROOMS = 50
