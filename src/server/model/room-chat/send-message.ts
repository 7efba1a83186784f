import { GIFT_MESSAGE_REFUSAL, isGiftMessageText } from '../../../shared/gifts/rules.ts'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_MESSAGE_LENGTH, MAX_QUOTE_LENGTH } from '../../../shared/room-chat/limits.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { quoteExcerpt } from '../../../shared/room-chat/quotes.ts'
import { normaliseMessage } from '../../../shared/room-chat/rules.ts'
import { checkSendLimits } from '../../../shared/room-chat/send-limits.ts'
import type { RetryKey } from '../../kernel/database/commands/define-command.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { toUserSummary, type UserRow, userById } from '../accounts/queries.ts'
import { addNotification } from '../notifications/transactions.ts'
import { findRestriction } from '../restrictions/queries.ts'
import { findMediaRefusal, findWriteRefusal, mayLearnOfRoom, mayManageRoom } from '../rooms/access.ts'
import { recordSlowModeMessage, slowModeFor } from '../rooms/management-transactions.ts'
import { roomById } from '../rooms/queries.ts'
import { query } from '../schema/query.ts'
import { screenText } from '../text-screening/transactions.ts'
import { findLatestMessage, findQuote, roomMedia } from './queries.ts'
import { answerOfMessage, insertMessage, resolveMentions } from './transactions.ts'

export interface SendMessage {
  roomId: RoomId
  content: string
  /** The message that this one answers. It need not exist: the quote is resolved when it is shown. */
  replyTo?: { id: MessageId }
  mediaId?: number | null
  clientId: string
  /** The sender's time in the room as their region measures it; null when they are not in the room. */
  inRoomForMs: number | null
}
type LatestMessage = { senderId: UserId; consecutiveCount: number; createdAt: number }
type SendMessageAnswer = { success: true; id?: MessageId; createdAt?: number }

const messageByClientId = query<{ userId: UserId; clientId: string }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'createdAt'])
    .where('senderId', '=', p('userId'))
    .where('clientId', '=', p('clientId')),
)

/**
 * Sends a message to a room. Without text and file it is answered with success and not stored. Refuses with RoomNotFound,
 * NotInRoom, SessionEnded, RoomBanned, RoomWriteRefused, MediaNotFound, a chat limit with `waitMs`, or what a handler of
 * `onTextScreening` refuses.
 */
export function sendToRoom(tx: Transaction, actor: Actor, input: SendMessage): SendMessageAnswer | Refusal {
  const text = normaliseMessage(input.content)
  const { roomId, mediaId = null } = input
  if (!text && mediaId === null) return { success: true }
  if (isGiftMessageText(text)) return refuse('Forbidden', { message: GIFT_MESSAGE_REFUSAL })
  const sender = tx.cached.get(userById, { id: actor.userId })
  if (!sender) return refuse('SessionEnded')
  const latest = findLatestMessage(tx, roomId, sender)
  const consecutiveCount = checkRoomRules(tx, sender, input, latest)
  if (consecutiveCount instanceof Refusal) return consecutiveCount

  const parts = { clientId: input.clientId, replyToId: input.replyTo?.id ?? null, mediaId }
  const place = { kind: 'room', roomId } as const
  const submitted = screenText(tx, { sender, place, text, maxLength: MAX_MESSAGE_LENGTH, message: parts })
  if (submitted instanceof Refusal) return submitted
  const { content, mentioned } = resolveMentions(tx, submitted)
  const quote = findQuoteToSend(tx, sender, roomId, parts.replyToId)
  const row = { roomId, content, consecutiveCount, ...parts, replyToId: quote?.id ?? null }
  const message = insertMessage(tx, sender, row, latest)
  const payload = quote ? { ...message, replyTo: quote } : message
  tx.emit({ stream: roomStream(roomId), name: 'message', payload, actorId: sender.id })
  emitMentionNotifications(tx, mentioned, message)
  // 0: the limits do not apply to the sender.
  if (consecutiveCount > 0) recordSlowModeMessage(tx, roomId, sender.id)
  return answerOfMessage(message)
}

/** The answer to the message of this sender with this clientId. Its row has all that its answer had. */
export function findSentMessage(reader: Pick<Reader, 'get'>, key: RetryKey): SendMessageAnswer | undefined {
  const row = reader.get(messageByClientId, key)
  return row && answerOfMessage(row)
}

/** The quote of a new message; null where it would quote a ghost's to all: only the ghost and root admins could read it. */
function findQuoteToSend(
  tx: Transaction,
  { id: senderId, role: senderRole, isGhost }: UserRow,
  roomId: RoomId,
  replyToId: MessageId | null,
): Quote | null {
  if (replyToId === null) return null
  const { quote, original } = findQuote(tx, { id: Number.MAX_SAFE_INTEGER, roomId, senderId, senderRole, replyToId })
  return isGhost === 0 && original?.audience === 'actor' ? null : quote
}

/** The number of this message in its sender's consecutive run, or the refusal of the room or of a chat limit. */
function checkRoomRules(
  tx: Transaction,
  sender: UserRow,
  { roomId, inRoomForMs, mediaId = null }: SendMessage,
  latest: LatestMessage | undefined,
) {
  const room = tx.cached.get(roomById, { id: roomId })
  if (!room || room.isActive === 0) return refuse('RoomNotFound')
  if (inRoomForMs === null) return refuse('NotInRoom')
  // Staff of the room have no chat limits.
  const isExempt = mayManageRoom(tx.cached, { userId: sender.id, role: sender.role }, room)
  // The sender's region may not have taken them out of the room yet.
  const ban = isExempt ? null : findRestriction(tx.cached, { kind: 'roomBan', userId: sender.id, roomId }, tx.now)
  if (ban) return ban
  const person = toUserSummary(sender, tx.now)
  const mediaRefusal = mediaId === null ? null : findMediaRefusal(tx.cached, person, room)
  const message = findWriteRefusal(tx.cached, person, room) ?? mediaRefusal
  if (message !== null) return refuse('RoomWriteRefused', { message })
  const mediaType = mediaId === null ? null : roomMedia.typeOfOwn(tx, sender.id, mediaId)
  if (mediaType instanceof Refusal) return mediaType
  const verdict = checkSendLimits({
    exempt: isExempt,
    inRoomForMs,
    last: latest
      ? {
          isOwn: latest.senderId === sender.id,
          consecutiveCount: latest.consecutiveCount,
          ageMs: tx.now - latest.createdAt,
        }
      : null,
    slowMode: slowModeFor(tx, room, sender.id),
  })
  return 'refused' in verdict ? refuse(verdict.refused, { waitMs: verdict.waitMs }) : verdict.consecutiveCount
}

/**
 * Notifies each mentioned user who may learn of the room's content, except the sender. A ghost notifies nobody. The
 * event has only the beginning of a long text, because one message can cause 20 of them.
 */
function emitMentionNotifications(
  tx: Transaction,
  mentioned: readonly UserRow[],
  message: { id: MessageId; roomId: RoomId; content: string; senderId: UserId; senderUsername: string },
): void {
  const { id, roomId, content, senderId, senderUsername } = message
  if (mentioned.length === 0 || tx.cached.get(userById, { id: senderId })?.isGhost === 1) return
  const room = tx.cached.get(roomById, { id: roomId })
  const excerpt = content.length > MAX_QUOTE_LENGTH ? quoteExcerpt(content, MAX_QUOTE_LENGTH) : content
  for (const user of mentioned) {
    if (user.id === senderId || !room || !mayLearnOfRoom(tx, user, room, tx.now)) continue
    const target = { mentionedUsername: user.username, userId: user.id, isGuest: user.isGuest === 1 }
    const payload = { ...target, roomId, content: excerpt, messageSender: senderUsername, messageId: id }
    tx.emit({ stream: userStream(user.id), name: 'mentionNotification', payload, actorId: senderId })
    addNotification(tx, user.id, { type: 'mention', senderId, content, roomId, messageId: id })
  }
}
