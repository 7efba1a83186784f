import { MAX_INITIAL_MESSAGES } from '../../../shared/notifications/limits.ts'
import type { Notification } from '../../../shared/notifications/notification.ts'
import { type NotificationTab, rootAdminTabs, tabOf, tabsOf } from '../../../shared/notifications/rules.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { decodeEventPayload, isEvent } from '../../kernel/database/events/logged-event.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { encodeEphemeral } from '../../kernel/live/publisher.ts'
import { type UserRow, userById } from '../../model/accounts/queries.ts'
import { roomMessages } from '../../model/conversations/message-table.ts'
import { countUnread, listUnreadMessages } from '../../model/conversations/sides.ts'
import { NotificationCounts } from '../../model/notifications/counts.ts'
import { excerpt, listNotifications } from '../../model/notifications/queries.ts'

export const notifyConnection: LiveHooks = {
  onHello({ context, connection, reader, user }) {
    const initial = initialNotifications(reader, user, context.clock())
    return {
      afterAnswer: () => context.publisher.enqueue(connection, encodeEphemeral('initialNotifications', initial)),
    }
  },
  // The list that follows the replay shows the notification without the removed text.
  isObsolete(reader, event) {
    if (!isEvent(event, 'newNotification')) return false
    const { messageId, type, recipientId } = decodeEventPayload(event)
    // A root admin who was demoted meanwhile has no requests any more.
    const isForRootAdmins = type !== 'dm' && rootAdminTabs.includes(tabOf(type))
    if (isForRootAdmins) return reader.get(userById, { id: recipientId })?.role !== 'rootadmin'
    return messageId !== null && !roomMessages.isPresent(reader, messageId)
  },
}

/** What a user is sent after hello: the first page of each tab, and the unread direct messages. */
export function initialNotifications(reader: Reader, user: UserRow, now: number): EventPayload<'initialNotifications'> {
  const counts = new NotificationCounts(reader, user.id)
  const notifications = unreadMessages(reader, user)
  const next: Partial<Record<NotificationTab, string>> = {}
  for (const tab of tabsOf(user.role)) {
    if (counts.total(tab) === 0) continue
    const page = listNotifications(reader, user.id, tab, now)
    notifications.push(...page.notifications)
    if (page.next !== null) next[tab] = page.next
  }
  notifications.sort((a, b) => b.createdAt - a.createdAt)
  const unreadMessageCount = countUnread(reader, user.id)
  return { notifications, next, unread: counts.unread(), unreadMessages: unreadMessageCount, cursor: reader.cursor() }
}

/** The unread direct messages as notifications of type `dm`. */
function unreadMessages(reader: Reader, user: UserRow): Notification[] {
  return listUnreadMessages(reader, { userId: user.id, role: user.role }, MAX_INITIAL_MESSAGES).map(
    (message): Notification => ({
      id: message.id,
      type: 'dm',
      requestId: null,
      senderId: message.senderId,
      recipientId: user.id,
      senderUsername: message.senderUsername,
      recipientUsername: user.username,
      senderAvatarUrl: message.senderIsGuest === 1 ? null : message.senderAvatarUrl,
      senderGender: message.senderGender,
      senderIsGuest: message.senderIsGuest === 1,
      senderCount: 1,
      read: false,
      content: excerpt(message.content),
      roomId: null,
      messageSender: message.senderUsername,
      messageId: message.id,
      postId: null,
      postOwnerId: null,
      postOwnerUsername: null,
      createdAt: message.createdAt,
    }),
  )
}
