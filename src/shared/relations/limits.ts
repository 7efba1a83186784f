import type { PersonLimit } from '../protocol/define.ts'

/** Blocks and unblocks, each of which is sent to the other user: 30 at once, then one in 10 seconds. */
export const BLOCK_CHANGE_LIMIT: PersonLimit = { points: 30, perMs: 5 * 60_000 }

/** Follows, requests and their answers, each of which is sent to the other user: 30 at once, then one in 20 seconds. */
export const FOLLOW_CHANGE_LIMIT: PersonLimit = { points: 30, perMs: 10 * 60_000 }
