import type { PersonLimit } from '../protocol/define.ts'

const TEN_MINUTES_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000
const MIB = 1024 * 1024

/** Requests that upload a post, of one user: a picture can take two seconds to decode. */
export const POST_UPLOAD_LIMIT: PersonLimit = { points: 20, perMs: TEN_MINUTES_MS }
export const ADDRESS_POST_UPLOAD_LIMIT: PersonLimit = { points: 100, perMs: TEN_MINUTES_MS }
/** Posts of one user and of one address, and the bytes that they store. */
export const POST_LIMIT: PersonLimit = { points: 30, perMs: DAY_MS }
export const ADDRESS_POST_LIMIT: PersonLimit = { points: 150, perMs: DAY_MS }
export const POST_BYTES_LIMIT: PersonLimit = { points: 1024 * MIB, perMs: DAY_MS }
export const ADDRESS_POST_BYTES_LIMIT: PersonLimit = { points: 3 * 1024 * MIB, perMs: DAY_MS }
/** Likes given and taken back. */
export const LIKE_LIMIT: PersonLimit = { points: 120, perMs: TEN_MINUTES_MS }
export const ADDRESS_LIKE_LIMIT: PersonLimit = { points: 600, perMs: TEN_MINUTES_MS }
/** Comments and their characters, in UTF-16 units. */
export const COMMENT_LIMIT: PersonLimit = { points: 40, perMs: TEN_MINUTES_MS }
export const COMMENT_CHARACTER_LIMIT: PersonLimit = { points: 10_000, perMs: TEN_MINUTES_MS }
export const ADDRESS_COMMENT_LIMIT: PersonLimit = { points: 200, perMs: TEN_MINUTES_MS }
export const ADDRESS_COMMENT_CHARACTER_LIMIT: PersonLimit = { points: 40_000, perMs: TEN_MINUTES_MS }
/** Archiving, deleting and reporting posts, and deleting comments. */
export const POST_CHANGE_LIMIT: PersonLimit = { points: 60, perMs: TEN_MINUTES_MS }
/** Reading posts, comments and likes, and watching posts. */
export const POST_READ_LIMIT: PersonLimit = { points: 240, perMs: 60_000 }

/** The longest description and the longest comment, in UTF-16 units. */
export const MAX_DESCRIPTION_LENGTH = 1_000
export const MAX_COMMENT_LENGTH = 500
/** The lines of both: a comment is shown on a page that is not its author's. */
export const MAX_DESCRIPTION_LINES = 20
export const MAX_COMMENT_LINES = 8
/** The largest video, in bytes. A photo has the bound of all files (media/rules.ts). */
export const MAX_VIDEO_BYTES = 100 * MIB
/** The longest video, and the longest edge of one. */
export const MAX_VIDEO_DURATION_MS = 60 * 60_000
export const MAX_VIDEO_EDGE_PX = 8_192

export const POSTS_PER_PAGE = 12
export const COMMENTS_PER_PAGE = 20
export const LIKES_PER_PAGE = 50
/** The latest likes and comments that a post has with it; the others are paged. */
export const SHOWN_LIKES = 10
export const SHOWN_COMMENTS = 3
/** Users whose posts one connection watches; one more ends the oldest. */
export const MAX_WATCHED_USERS = 8
/** Comments that are kept with the report of a post. */
export const REPORTED_COMMENTS = 20
