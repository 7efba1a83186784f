import * as v from 'valibot'
import { Count, Cursor, command, ephemeralEvent, Id, loggedEvent, PageCursor, route, Time } from '../protocol/define.ts'
import {
  MAX_NOTIFICATIONS_PER_TAB,
  MAX_READ_IDS,
  NOTIFICATION_CHANGE_LIMIT,
  NOTIFICATION_READ_LIMIT,
  NOTIFICATIONS_PER_PAGE,
} from './limits.ts'
import { Notification, NotificationTab, NotificationType, UnreadCounts } from './notification.ts'
import { clearableTabs } from './rules.ts'

const SuccessAnswer = v.object({ success: v.literal(true) })
/** Where the next page of each tab starts that has one. */
const nextPages = v.partial(
  v.object({
    dmCall: PageCursor,
    follow: PageCursor,
    mention: PageCursor,
    withdrawalRequest: PageCursor,
    starRequest: PageCursor,
    other: PageCursor,
  }),
)
/** The user who reads: an id, a name or a user object; refused when it is another one. */
const readerFields = { user: v.optional(v.unknown()) }
const removeField = { remove: v.optional(v.boolean(), true) }

export const commands = {
  notificationRead: command({
    description:
      "Marks a notification of the sender as read and, unless `remove` is false, removes it. The user's connections get " +
      '`notificationsRead`. One that does not exist changes nothing.',
    access: 'signedIn',
    limiter: NOTIFICATION_CHANGE_LIMIT,
    identityFields: ['user'],
    input: v.object({ notificationId: Id, ...readerFields, ...removeField }),
    answer: SuccessAnswer,
  }),
  notificationDMRead: command({
    description:
      'Marks direct messages as read, by the ids of their notifications, and with each the earlier ones of its sender: ' +
      'like `markMessagesAsRead`, with the same `messagesRead`. A read direct message has no notification, so `remove` ' +
      'changes nothing.',
    access: 'signedIn',
    limiter: NOTIFICATION_CHANGE_LIMIT,
    identityFields: ['user'],
    input: v.object({
      notificationIds: v.pipe(v.array(Id), v.maxLength(MAX_READ_IDS)),
      ...readerFields,
      ...removeField,
    }),
    answer: SuccessAnswer,
  }),
  notificationTabRead: command({
    description:
      "Marks the sender's notifications of a tab up to a time as read and, unless `remove` is false, removes them. The " +
      "user's connections get `notificationTabRead`.",
    access: 'signedIn',
    limiter: NOTIFICATION_CHANGE_LIMIT,
    input: v.object({ tab: v.picklist(clearableTabs), upTo: Time, ...removeField }),
    answer: SuccessAnswer,
  }),
}

export const events = {
  initialNotifications: ephemeralEvent({
    description:
      `The latest ${NOTIFICATIONS_PER_PAGE} notifications of each tab and the unread direct messages, the latest first, ` +
      'after each hello; it replaces the set. `next` has the cursor of each tab that has more. `unreadMessages` counts ' +
      'the unread direct messages, which are the notifications of type `dm`; later ones come as `directMessage`, and go ' +
      'by `messagesRead`, `conversationHidden` and `dmCleared`.',
    payload: v.object({
      notifications: v.array(Notification),
      next: nextPages,
      unread: UnreadCounts,
      unreadMessages: Count,
      cursor: Cursor,
    }),
  }),
  newNotification: loggedEvent({
    description:
      'A notification is new, or a known one has changed and has the same id. `removedId` is the one that it displaces ' +
      `when its tab has more than ${MAX_NOTIFICATIONS_PER_TAB}.`,
    hiddenByBlock: true,
    payload: v.object({ ...Notification.entries, unread: UnreadCounts, removedId: v.nullable(Id) }),
  }),
  removeNotification: loggedEvent({
    description:
      'The request with this id and type is answered or withdrawn: its notification is removed. `id` is that of the ' +
      'notification, null when there was none any more.',
    payload: v.object({ requestId: Id, type: NotificationType, id: v.nullable(Id), unread: UnreadCounts }),
  }),
  notificationsRead: loggedEvent({
    description: "Notifications are read or removed; to the user's own connections.",
    payload: v.object({ notificationIds: v.array(Id), isRemoved: v.boolean(), unread: UnreadCounts }),
  }),
  notificationTabRead: loggedEvent({
    description: "The notifications of a tab up to a time are read or removed; to the user's own connections.",
    payload: v.object({ tab: NotificationTab, upTo: Time, isRemoved: v.boolean(), unread: UnreadCounts }),
  }),
}

export const routes = {
  notifications: route({
    description:
      `The notifications of the sender in one tab, the latest first, ${NOTIFICATIONS_PER_PAGE} at a time; \`next\` is the ` +
      '`before` of the next page, null on the last one. The tabs `withdrawalRequest` and `starRequest` are for root admins.',
    method: 'GET',
    path: '/notifications',
    access: 'signedIn',
    limiter: NOTIFICATION_READ_LIMIT,
    input: v.object({ tab: NotificationTab, before: v.optional(PageCursor) }),
    answer: v.object({
      success: v.literal(true),
      notifications: v.array(Notification),
      next: v.nullable(v.string()),
      unread: UnreadCounts,
    }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Notification, UnreadCounts }
