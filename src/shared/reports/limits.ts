import type { PersonLimit } from '../protocol/define.ts'

const TEN_MINUTES_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** Reports of one user; each keeps up to six messages or a post, and costs the attention of a root admin. */
export const REPORT_LIMIT: PersonLimit = { points: 20, perMs: TEN_MINUTES_MS }
/** The same of one address, and of a day: room for ten busy users. */
export const ADDRESS_REPORT_LIMIT: PersonLimit = { points: 60, perMs: TEN_MINUTES_MS }
export const REPORTS_PER_DAY_LIMIT: PersonLimit = { points: 60, perMs: DAY_MS }
export const ADDRESS_REPORTS_PER_DAY_LIMIT: PersonLimit = { points: 300, perMs: DAY_MS }
/** Undecided reports of one user, counted in the writer. */
export const MAX_OPEN_REPORTS = 40

/** What the reporter adds, in UTF-16 units. */
export const MAX_REPORT_NOTE_LENGTH = 500
/** The lines of it. */
export const MAX_REPORT_NOTE_LINES = 12
/** A call can be reported this long after its end. */
export const REPORTABLE_CALL_MS = DAY_MS
/** Messages around a reported one that are kept with the report. */
export const REPORT_CONTEXT_MESSAGES = 5

export const REPORT_GROUPS_PER_PAGE = 20
export const REPORTS_PER_PAGE = 30
/** Reports that one decision answers. */
export const MAX_DECIDED_REPORTS = 50
/** The text of a warning or of a mute, in UTF-16 units. */
export const MAX_DECISION_TEXT_LENGTH = 500
/** The text to the reporters: no longer than a notification shows. */
export const MAX_REPORTER_TEXT_LENGTH = 200
/** An open report is closed this long after it was made. */
export const OPEN_REPORT_RETENTION_MS = 180 * DAY_MS
/** What was kept with a decided report is deleted this long after the decision. */
export const REPORT_CONTENT_RETENTION_MS = 180 * DAY_MS
