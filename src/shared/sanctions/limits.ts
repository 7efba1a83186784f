import type { PersonLimit } from '../protocol/define.ts'

/** The length of a warning, in UTF-16 units. */
export const MAX_WARNING_LENGTH = 500
/** Unconfirmed warnings of one user; one more is refused. */
export const MAX_OPEN_WARNINGS = 20
/** The length of the reason of a mute, in UTF-16 units. */
export const MAX_MUTE_REASON_LENGTH = 200
/** Mutes of one answer. */
export const MUTES_PER_PAGE = 50
/** Own mutes that a connection gets when it opens: the latest. */
export const MAX_OWN_MUTES = 50
/** How long the text of a removed message is kept, for root admins and to restore it. */
export const REMOVED_MESSAGE_KEPT_MS = 30 * 24 * 60 * 60_000

/** Removals and restorations of single messages by one person: a burst of 60, then one a second. */
export const MESSAGE_REMOVAL_LIMIT: PersonLimit = { points: 60, perMs: 60_000 }
/** Confirmations of warnings: they come one at a time, by a click. */
export const CONFIRM_WARNING_LIMIT: PersonLimit = { points: 30, perMs: 60_000 }
