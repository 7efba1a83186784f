import * as v from 'valibot'
import { Gender, Role } from '../accounts/protocol.ts'
import { Media } from '../media/media.ts'
import { ClientId, Count, Time } from '../protocol/define.ts'
import { MessageId, RoomId, UserId } from '../protocol/ids.ts'

/**
 * The message that a reply quotes, as its reader may see it: its beginning and its sender. All but the id is null
 * where the original is removed or hidden from this reader.
 */
export const Quote = v.object({
  id: MessageId,
  content: v.nullable(v.string()),
  senderId: v.nullable(UserId),
  senderUsername: v.nullable(v.string()),
})
export type Quote = v.InferOutput<typeof Quote>

/** What every message has, with what a bubble shows of its sender (specification 1, point 3). */
export const messageFields = {
  id: MessageId,
  content: v.string(),
  createdAt: Time,
  senderId: UserId,
  senderUsername: v.string(),
  senderGender: v.nullable(Gender),
  senderAvatarUrl: v.nullable(v.string()),
  senderIsGuest: v.boolean(),
  senderRole: Role,
  clientId: ClientId,
  /** Absent unless it is a reply. */
  replyTo: v.optional(Quote),
  media: v.optional(Media),
  /** Removed by a moderator: it has neither text, file nor quote. */
  isRemoved: v.optional(v.literal(true)),
  /** Set for root admins only: its sender was ghost-banned, and nobody else but the sender sees it. */
  isGhost: v.optional(v.literal(true)),
}

/** A room message. */
export const Message = v.object({
  ...messageFields,
  roomId: RoomId,
  /** The id of its file. */
  mediaId: v.optional(Count),
})
export type Message = v.InferOutput<typeof Message>
