import type { PersonLimit } from '../protocol/define.ts'

/** Notifications of one tab in `initialNotifications`, and of a page of `GET /notifications`. */
export const NOTIFICATIONS_PER_PAGE = 20
/** Unread direct messages in `initialNotifications`; their number is counted in full. */
export const MAX_INITIAL_MESSAGES = 40
/** Rows of one user in one tab. A further one removes the oldest read row, or one of the sender who has the most. */
export const MAX_NOTIFICATIONS_PER_TAB = 500
/** Senders that one notification counts; a further one takes the place of the earliest. */
export const MAX_GATHERED_SENDERS = 100
/** A notification is deleted after this, unless it is a request that waits for its answer. */
export const NOTIFICATION_RETENTION_MS = 90 * 24 * 60 * 60_000
/** Characters of a text in a notification, before an ellipsis. */
export const MAX_NOTIFICATION_LENGTH = 200
/** Ids in one `notificationDMRead`. */
export const MAX_READ_IDS = 100
/** Reading pages of notifications, and marking them as read. */
export const NOTIFICATION_READ_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
export const NOTIFICATION_CHANGE_LIMIT: PersonLimit = { points: 120, perMs: 60_000 }
