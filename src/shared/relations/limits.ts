import type { PersonLimit } from '../protocol/define.ts'

/** Blocks made and lifted, each of which is sent to the other person: 30 at once, then one in 10 seconds. */
export const BLOCK_CHANGE_LIMIT: PersonLimit = { points: 30, perMs: 5 * 60_000 }
