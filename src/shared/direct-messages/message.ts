import * as v from 'valibot'
import { Gender, Role } from '../accounts/protocol.ts'
import { MediaType } from '../media/media.ts'
import { Count, Time } from '../protocol/define.ts'
import { MessageId, UserId } from '../protocol/ids.ts'
import { messageFields } from '../room-chat/message.ts'
import { AccountPrivacy, Privacy } from '../settings/rules.ts'

/** A direct message (specification 1, point 3). */
export const DirectMessage = v.object({
  ...messageFields,
  recipientId: UserId,
  recipientUsername: v.string(),
  /** Whether the recipient has read it. */
  read: v.boolean(),
})
export type DirectMessage = v.InferOutput<typeof DirectMessage>

/** The other user of a conversation (specification 1, point 3, "Recipient info"), and what decides whether one may write. */
export const RecipientInfo = v.object({
  id: UserId,
  username: v.string(),
  avatarUrl: v.nullable(v.string()),
  gender: v.nullable(Gender),
  role: Role,
  premiumStatus: v.picklist(['guest', 'premium']),
  isGuest: v.boolean(),
  isOnline: v.boolean(),
  messagePrivacy: Privacy,
  messageImagePrivacy: Privacy,
  messageAudioPrivacy: Privacy,
  voiceCallPrivacy: Privacy,
  videoCallPrivacy: Privacy,
  accountPrivacy: AccountPrivacy,
  /** The viewer follows this user, accepted; and the reverse. */
  isFollowing: v.boolean(),
  isFollowedBy: v.boolean(),
  hasBlockedProfile: v.boolean(),
  isBlockedByProfile: v.boolean(),
})
export type RecipientInfo = v.InferOutput<typeof RecipientInfo>

/** A conversation in the list (specification 1, point 3, "DM list entry"); `createdAt` is that of the last message. */
export const ConversationEntry = v.object({
  id: UserId,
  username: v.string(),
  avatarUrl: v.nullable(v.string()),
  gender: v.nullable(Gender),
  isGuest: v.boolean(),
  isOnline: v.boolean(),
  lastMessage: v.string(),
  lastMessageId: MessageId,
  mediaType: v.nullable(MediaType),
  createdAt: Time,
  /** The last message is the viewer's own, and whether its recipient has read it. */
  isOwn: v.boolean(),
  read: v.boolean(),
  unreadCount: Count,
  /** As `isGhost` of the last message. */
  isGhost: v.optional(v.literal(true)),
})
export type ConversationEntry = v.InferOutput<typeof ConversationEntry>
