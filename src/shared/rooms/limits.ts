import type { PersonLimit } from '../protocol/define.ts'

/** Rooms entered, pages of messages and replays, which take milliseconds to read: 30 at once, then one a second. */
export const SNAPSHOT_LIMIT: PersonLimit = { points: 30, perMs: 30_000 }
