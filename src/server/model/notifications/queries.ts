import { MAX_NOTIFICATION_LENGTH, NOTIFICATIONS_PER_PAGE } from '../../../shared/notifications/limits.ts'
import type { Notification, UnreadCounts } from '../../../shared/notifications/notification.ts'
import type { NotificationTab } from '../../../shared/notifications/rules.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { FIRST_PAGE, parsePageCursor, toPage } from '../../../shared/protocol/page-cursor.ts'
import { quoteExcerpt } from '../../../shared/room-chat/quotes.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { notRemoved } from '../message-removal/queries.ts'
import { mayUserLearnOf } from '../rooms/access.ts'
import { query } from '../schema/query.ts'
import { NotificationCounts } from './counts.ts'

type PageOfTab = { recipientId: UserId; tab: NotificationTab; at: number; id: number; limit: number }

const pageOfTab = query<PageOfTab>()((db, p) =>
  db
    .selectFrom('notification')
    .innerJoin('user as sender', 'sender.id', 'notification.senderId')
    .innerJoin('user as recipient', 'recipient.id', 'notification.recipientId')
    .leftJoin('message', (join) =>
      join.onRef('message.id', '=', 'notification.messageId').on('message.audience', 'is', null).on(notRemoved),
    )
    .leftJoin('post', 'post.id', 'notification.postId')
    .leftJoin('user as owner', 'owner.id', 'post.userId')
    .select([
      'notification.id',
      'notification.type',
      'notification.requestId',
      'notification.senderId',
      'notification.recipientId',
      'sender.username as senderUsername',
      'recipient.username as recipientUsername',
      'sender.avatarUrl as senderAvatarUrl',
      'sender.gender as senderGender',
      'sender.isGuest as senderIsGuest',
      'notification.senderCount',
      'notification.read',
      'notification.content',
      'message.content as messageContent',
      'notification.roomId',
      'notification.messageId',
      'notification.postId',
      'owner.id as postOwnerId',
      'owner.username as postOwnerUsername',
      'notification.createdAt',
    ])
    .where('notification.recipientId', '=', p('recipientId'))
    .where('notification.tab', '=', p('tab'))
    .where((eb) => eb(eb.refTuple('notification.createdAt', 'notification.id'), '<', eb.tuple(p('at'), p('id'))))
    .orderBy('notification.createdAt', 'desc')
    .orderBy('notification.id', 'desc')
    .limit(p('limit')),
)

const missedCall = query<{ recipientId: UserId; requestId: number }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['senderId', 'content', 'createdAt'])
    .where('type', '=', 'dmCall')
    .where('requestId', '=', p('requestId'))
    .where('recipientId', '=', p('recipientId')),
)

/** The notification of a missed call: `content` is its type. */
export function findMissedCall(reader: Pick<Reader, 'get'>, recipientId: UserId, requestId: number) {
  return reader.get(missedCall, { recipientId, requestId })
}

/**
 * A page of a user's notifications in a tab, the latest first. `before` and `next` are `<time>-<id>`. Of a room that is
 * closed to the user no text is shown.
 */
export function listNotifications(
  reader: Pick<Reader, 'all' | 'get'>,
  recipientId: UserId,
  tab: NotificationTab,
  now: number,
  before = FIRST_PAGE,
): { notifications: Notification[]; next: string | null } {
  const [at, id] = parsePageCursor(before)
  const rows = reader.all(pageOfTab, { recipientId, tab, at, id, limit: NOTIFICATIONS_PER_PAGE + 1 })
  const { shown, next } = toPage(rows, NOTIFICATIONS_PER_PAGE, ({ createdAt }) => createdAt)
  const isClosed = closedRoomsFor(reader, recipientId, now)
  const notifications = shown.map(
    ({ messageContent, senderIsGuest, read, ...row }): Notification => ({
      ...row,
      senderAvatarUrl: senderIsGuest === 1 ? null : row.senderAvatarUrl,
      senderIsGuest: senderIsGuest === 1,
      read: read === 1,
      content: row.messageId === null ? row.content : excerpt(isClosed(row.roomId) ? '' : (messageContent ?? '')),
      messageSender: row.messageId === null ? null : row.senderUsername,
    }),
  )
  return { notifications, next }
}

/** Whether a room's content is closed to a user; each room is read once. */
function closedRoomsFor(reader: Pick<Reader, 'get'>, userId: UserId, now: number): (roomId: RoomId | null) => boolean {
  const known = new Map<RoomId, boolean>()
  return (roomId) => {
    if (roomId === null) return false
    const isClosed = known.get(roomId) ?? !mayUserLearnOf(reader, userId, roomId, now)
    known.set(roomId, isClosed)
    return isClosed
  }
}

/** How many notifications of each tab the user has not read. */
export function unreadCounts(reader: Pick<Reader, 'all'>, userId: UserId): UnreadCounts {
  return new NotificationCounts(reader, userId).unread()
}

/** A text as a notification shows it. */
export function excerpt(text: string): string {
  return quoteExcerpt(text, MAX_NOTIFICATION_LENGTH)
}
