import type { PersonLimit } from '../../protocol/define.ts'

/** One's own requests on a page. */
export const REQUESTS_PER_PAGE = 20
/** Requests of one kind that one person may have waiting. */
export const MAX_PENDING_REQUESTS = 3

const HOUR_MS = 60 * 60_000
/** New requests of one person, of both kinds. */
export const REQUEST_LIMIT: PersonLimit = { points: 20, perMs: HOUR_MS }
/** The same from one address. */
export const ADDRESS_REQUEST_LIMIT: PersonLimit = { points: 60, perMs: HOUR_MS }
/** Reading requests. */
export const REQUEST_READ_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
/** Approvals and rejections by one root admin. */
export const REQUEST_DECISION_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
