import type { MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import type { UserRow } from '../accounts/queries.ts'
import { userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'
import { addNotification } from '../notifications/transactions.ts'

/** Notifies each mentioned user except the sender. */
export function emitMentionNotifications(
  tx: Transaction,
  mentioned: readonly UserRow[],
  message: { id: MessageId; roomId: RoomId; content: string; senderId: UserId; senderUsername: string },
): void {
  const { id, roomId, content, senderId, senderUsername } = message
  for (const user of mentioned) {
    if (user.id === senderId) continue
    const target = { mentionedUsername: user.username, userId: user.id, isGuest: user.isGuest === 1 }
    const payload = { ...target, roomId, content, messageSender: senderUsername, messageId: id }
    tx.emit({ stream: userStream(user.id), name: 'mentionNotification', payload, actorId: senderId })
    addNotification(tx, user.id, { type: 'mention', senderId, content, roomId, messageId: id })
  }
}
