import * as v from 'valibot'
import { Gender } from '../accounts/protocol.ts'
import { Count, Id, Time } from '../protocol/define.ts'
import { MessageId, RoomId, UserId } from '../protocol/ids.ts'
import { notificationTabs, notificationTypes } from './rules.ts'

export const NotificationType = v.picklist(notificationTypes)
export const NotificationTab = v.picklist(notificationTabs)

/**
 * A notification (specification 1, point 3). With `dm`, `id` and `messageId` are the id of the unread direct message;
 * any other id is the recipient's own: another user has the same ones.
 */
export const Notification = v.object({
  id: Id,
  type: NotificationType,
  /** What is asked or meant: the id of the follower, of a request about money, of a call, of a comment, of a gift, of a decision or of a region. */
  requestId: v.nullable(Id),
  /** The latest of the senders; with `reportDecided` and `diskSpace`, which the site sends, the recipient. */
  senderId: UserId,
  recipientId: UserId,
  senderUsername: v.string(),
  recipientUsername: v.string(),
  senderAvatarUrl: v.nullable(v.string()),
  senderGender: v.nullable(Gender),
  senderIsGuest: v.boolean(),
  /** How many users did the same to the same thing, at most 100. */
  senderCount: Count,
  read: v.boolean(),
  /** The text of a message, `voice` or `video` of a call, the name of a gift, the text of the site, or ''; '' too when the message has been removed. */
  content: v.string(),
  roomId: v.nullable(RoomId),
  /** The name of the message's sender; null without a message. */
  messageSender: v.nullable(v.string()),
  messageId: v.nullable(MessageId),
  postId: v.nullable(Id),
  /** Whose post it is; null without a post. */
  postOwnerId: v.nullable(UserId),
  postOwnerUsername: v.nullable(v.string()),
  createdAt: Time,
})
export type Notification = v.InferOutput<typeof Notification>

/** The number of unread notifications in each tab. */
export const UnreadCounts = v.object({
  dmCall: Count,
  follow: Count,
  mention: Count,
  withdrawalRequest: Count,
  starRequest: Count,
  other: Count,
})
export type UnreadCounts = v.InferOutput<typeof UnreadCounts>
