import type { PersonLimit } from '../protocol/define.ts'

/** Entries of the word filter. */
export const MAX_ENTRIES = 2_000
/** Patterns of one request that adds entries. */
export const MAX_ADDED_ENTRIES = 200
/** Letters of a pattern after folding. */
export const MIN_PATTERN_LETTERS = 2
export const MAX_PATTERN_LETTERS = 40
/** UTF-16 units of a typed pattern, replacement or exception. */
export const MAX_PATTERN_LENGTH = 60
export const MAX_REPLACEMENT_LENGTH = 40
/** UTF-16 units of a text in the test field; it travels in a URL. */
export const MAX_TESTED_TEXT_LENGTH = 1_000
/** Exceptions of one entry. */
export const MAX_EXCEPTIONS = 50

/** Texts of one person that wait for review, of the guests of one address, and of all. */
export const MAX_HELD_TEXTS_OF_USER = 10
export const MAX_HELD_TEXTS_OF_ADDRESS = 40
export const MAX_HELD_TEXTS = 2_000
export const HELD_TEXT_RETENTION_MS = 7 * 24 * 60 * 60_000

/** Hits of one text that are logged, of one person in an hour, and of all. */
export const MAX_HITS_OF_TEXT = 5
export const MAX_HITS_OF_USER_PER_HOUR = 60
export const MAX_HITS = 20_000
export const HIT_RETENTION_MS = 90 * 24 * 60 * 60_000

export const MAX_ALERTS = 5_000
export const ALERT_RETENTION_MS = 90 * 24 * 60 * 60_000
/** A cause that repeats within this time is counted in its open alert. */
export const ALERT_REPEAT_MS = 60 * 60_000

/** Days since registration that links may require. */
export const MAX_LINK_MIN_DAYS = 365
/** Sites that anybody may link to. */
export const MAX_ALLOWED_HOSTS = 50
export const MAX_HOST_LENGTH = 100

export const ROWS_PER_PAGE = 50
/** UTF-16 units of a text that hits, held texts in lists and alerts quote. */
export const MAX_EXCERPT_LENGTH = 300

/** Accounts of one answer of 'Bağlı Hesaplar'. */
export const MAX_LINKED_ACCOUNTS = 100
/** How long a member's and a guest's fingerprints are kept after they were last seen. */
export const FINGERPRINT_RETENTION_MS = 30 * 24 * 60 * 60_000
/** Addresses are given to others after a while, so a ban covers those of the last days only. */
export const MAX_BANNED_ADDRESS_AGE_MS = 3 * 24 * 60 * 60_000
/** A fingerprint that was written within this time is not written again. */
export const FINGERPRINT_TOUCH_INTERVAL_MS = 12 * 60 * 60_000
/** Fingerprints of one account, of each kind. */
export const MAX_FINGERPRINTS_OF_USER = 20

/** Edits of the filter and decisions, by one root admin. */
export const FILTER_CHANGE_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
/** Look-ups of linked accounts, by one root admin. */
export const LOOK_UP_LIMIT: PersonLimit = { points: 60, perMs: 60_000 }

/** Accounts of one address that make a flood, by the same text or by their messages together. */
export const MIN_FLOOD_ACCOUNTS = 4
/** Messages of the accounts of one address in a window; more than four times as many as usual. */
export const MIN_FLOOD_MESSAGES = 80
export const USUAL_MESSAGES_FACTOR = 4
export const FLOOD_WINDOW_MS = 5 * 60_000
/** Shorter texts, such as greetings, are not compared. */
export const MIN_FLOOD_TEXT_LETTERS = 10
/** Bounds of what is kept: addresses, texts of an address, accounts of a text. */
export const MAX_FLOOD_FINGERPRINTS = 2_000
export const MAX_FLOOD_TEXTS = 60
export const MAX_FLOOD_ACCOUNTS = 50
/** Accounts whose messages wait to be added to those of their addresses. */
export const MAX_FLOOD_QUEUE = 2_000
/** Events among which the texts of an address are looked for at once. */
export const MAX_FLOOD_EVENTS = 5_000
/** Accounts that an alert names. */
export const MAX_ALERT_ACCOUNTS = 20
