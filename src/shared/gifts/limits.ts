import type { PersonLimit } from '../protocol/define.ts'

/** Gifts of one sender. */
export const GIFT_LIMIT: PersonLimit = { points: 20, perMs: 60_000 }
/** The most entries of gifts in an action log. */
export const MAX_GIFT_ACTIONS = 50
