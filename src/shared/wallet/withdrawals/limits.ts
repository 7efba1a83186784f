import type { PersonLimit } from '../../protocol/define.ts'

/** A part of an account holder's name, in UTF-16 units. */
export const MAX_ACCOUNT_NAME_LENGTH = 60
/** Requests on one page of root admins. */
export const REVIEWED_REQUESTS_PER_PAGE = 30
/** Rows of one export, the latest ones, and exports of one root admin. */
export const MAX_EXPORTED_REQUESTS = 5_000
export const REQUEST_EXPORT_LIMIT: PersonLimit = { points: 6, perMs: 60_000 }
