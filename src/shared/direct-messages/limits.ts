import type { PersonLimit } from '../protocol/define.ts'

const TEN_MINUTES_MS = 10 * 60_000

/** Direct messages and their characters, in UTF-16 units, of one user; a character is at most three bytes. */
export const DIRECT_MESSAGE_LIMIT: PersonLimit = { points: 300, perMs: TEN_MINUTES_MS }
export const DIRECT_CHARACTER_LIMIT: PersonLimit = { points: 60_000, perMs: TEN_MINUTES_MS }
/** The same of one address, and its messages to new users: room for ten busy users and one at their own limit. */
export const ADDRESS_MESSAGE_LIMIT: PersonLimit = { points: 1_500, perMs: TEN_MINUTES_MS }
export const ADDRESS_CHARACTER_LIMIT: PersonLimit = { points: 200_000, perMs: TEN_MINUTES_MS }
export const ADDRESS_CONVERSATION_LIMIT: PersonLimit = { points: 60, perMs: TEN_MINUTES_MS }
/** Opening conversations and reading their pages. */
export const CONVERSATION_READ_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
/** Marking messages as read: an open window does so for each message, once the one before is answered. */
export const MARK_READ_LIMIT: PersonLimit = { points: 240, perMs: 60_000 }
/** Hiding, deleting, reporting and allowing media. */
export const CONVERSATION_CHANGE_LIMIT: PersonLimit = { points: 30, perMs: TEN_MINUTES_MS }
/** Users to whom one user writes for the first time within ten minutes, counted in the writer. */
export const MAX_NEW_CONVERSATIONS = 20
export const NEW_CONVERSATION_WINDOW_MS = TEN_MINUTES_MS

export const CONVERSATIONS_PER_PAGE = 30
/** The preview of the last message in the list, in characters (specification 1, point 9). */
export const MAX_PREVIEW_LENGTH = 30
