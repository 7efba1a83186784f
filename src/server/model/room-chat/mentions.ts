import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { MAX_QUOTE_LENGTH } from '../../../shared/room-chat/limits.ts'
import { quoteExcerpt } from '../../../shared/room-chat/quotes.ts'
import { userStream } from '../../kernel/database/streams.ts'
import type { Transaction } from '../../kernel/database/transact.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { addNotification } from '../notifications/transactions.ts'
import { mayLearnOfRoom } from '../rooms/access.ts'
import { roomById } from '../rooms/queries.ts'

/**
 * Notifies each mentioned user who may learn of the room's content, except the sender. A ghost notifies nobody. The
 * event has only the beginning of a long text, because one message can cause 20 of them.
 */
export function emitMentionNotifications(
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
