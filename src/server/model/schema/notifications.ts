import type { NotificationTab, StoredNotificationType } from '../../../shared/notifications/rules.ts'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Flag } from '../../kernel/database/schema.ts'

export interface NotificationTables {
  notification: {
    recipientId: UserId
    /** Counted by recipient. */
    id: number
    tab: NotificationTab
    type: StoredNotificationType
    /** The latest sender. */
    senderId: UserId
    senderCount: number
    /** Unread rows of a type with the same value are one row; null where each thing has its own. */
    groupId: number | null
    requestId: number | null
    read: Flag
    content: string
    roomId: RoomId | null
    messageId: MessageId | null
    postId: number | null
    createdAt: number
  }
  /** A user whom an unread gathered notification counts. */
  notificationSender: { recipientId: UserId; notificationId: number; senderId: UserId; at: number }
  /** The rows of a user in a tab; `lastId` is the latest id that was given, also after its removal. */
  notificationCount: { userId: UserId; tab: NotificationTab; total: number; unread: number; lastId: number }
}
