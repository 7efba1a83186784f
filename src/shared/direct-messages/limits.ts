import type { PersonLimit } from '../protocol/define.ts'

const TEN_MINUTES_MS = 10 * 60_000

/** Direct messages of one user: 60 at once, 300 in ten minutes after that. */
export const DIRECT_MESSAGE_LIMIT: PersonLimit = { points: 300, perMs: TEN_MINUTES_MS }
/** Opening conversations and reading their pages. */
export const CONVERSATION_READ_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
/** Uploads of one user. */
export const DIRECT_MEDIA_LIMIT: PersonLimit = { points: 40, perMs: TEN_MINUTES_MS }
/** Hiding, deleting, reporting and allowing media. */
export const CONVERSATION_CHANGE_LIMIT: PersonLimit = { points: 30, perMs: TEN_MINUTES_MS }
/** Users to whom one user writes for the first time within ten minutes, counted in the writer. */
export const MAX_NEW_CONVERSATIONS = 20
export const NEW_CONVERSATION_WINDOW_MS = TEN_MINUTES_MS

export const DIRECT_MESSAGES_PER_PAGE = 40
export const CONVERSATIONS_PER_PAGE = 30
/** The preview of the last message in the list, in characters (specification 1, point 9). */
export const MAX_PREVIEW_LENGTH = 30
/** Messages around a reported one that are kept with the report. */
export const REPORT_CONTEXT_MESSAGES = 5
