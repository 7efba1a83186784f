import type { PersonLimit } from '../protocol/define.ts'

/** The specification's constants (both parts, point 9) that several features share. Durations are milliseconds. */

/** A room shows this many messages, the latest ones. */
export const MESSAGES_PER_PAGE = 40
/** The longest message, in UTF-16 units, after folding. */
export const MAX_MESSAGE_LENGTH = 2000
/** A message mentions at most this many people; the @ before any further name is removed. */
export const MAX_MENTIONS = 20
/** The longest search query, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 100
/** Searches of one user, sent while typing: a burst of 30, then two a second. */
export const SEARCH_LIMIT: PersonLimit = { points: 30, perMs: 15_000 }
/** The longest quote, in characters, in a reply and in the composer. */
export const MAX_QUOTE_LENGTH = 100
export const MAX_COMPOSER_QUOTE_LENGTH = 60
/** A message that is swiped this far is answered; it follows the finger no further than `MAX_SWIPE_PX`. */
export const SWIPE_REPLY_PX = 60
export const MAX_SWIPE_PX = 100
/** The wait between entering a room and the first message. */
export const JOIN_WAIT_MS = 10_000
/** How many messages in a row one person may send before the pause. */
export const MAX_CONSECUTIVE_MESSAGES = 4
/** How long the pause after `MAX_CONSECUTIVE_MESSAGES` lasts. */
export const CONSECUTIVE_MESSAGES_PAUSE_MS = 30_000

const TEN_MINUTES_MS = 10 * 60_000
/** Messages to rooms and their characters, in UTF-16 units, of one user, also when others write in between (docs/product.md, Storage). */
export const ROOM_MESSAGE_LIMIT: PersonLimit = { points: 900, perMs: TEN_MINUTES_MS }
export const ROOM_CHARACTER_LIMIT: PersonLimit = { points: 100_000, perMs: TEN_MINUTES_MS }
/** Names that one user mentions in rooms and comments. */
export const MENTION_LIMIT: PersonLimit = { points: 300, perMs: TEN_MINUTES_MS }
/** The same of one address, which a school or the users of a carrier may share: ten users at their own limits. */
export const ADDRESS_ROOM_MESSAGE_LIMIT: PersonLimit = { points: 9_000, perMs: TEN_MINUTES_MS }
export const ADDRESS_ROOM_CHARACTER_LIMIT: PersonLimit = { points: 1_000_000, perMs: TEN_MINUTES_MS }
export const ADDRESS_MENTION_LIMIT: PersonLimit = { points: 3_000, perMs: TEN_MINUTES_MS }

/** The room that is joined when none is remembered. */
export const DEFAULT_ROOM_ID = 1

/** Reconnect attempts before the page shows that the server is unreachable. */
export const MAX_RECONNECT_ATTEMPTS = 5
export const RECONNECT_DELAY_MS = 5_000
/** Random jitter on each delay, which spreads reconnects after a restart (docs/protocol.md). */
export const MAX_RECONNECT_JITTER_MS = 1_000
/** An attempt to connect, or a request, that takes longer than this has failed. */
export const CONNECT_TIMEOUT_MS = 30_000
export const HTTP_TIMEOUT_MS = 30_000
/** How long the older connection of a user may take to answer before the newer one replaces it. */
export const DUPLICATE_ANSWER_TIMEOUT_MS = 1_000
