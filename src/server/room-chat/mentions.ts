import type { MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import { MAX_MENTIONS } from '../../shared/room-chat/protocol.ts'
import { parseRichText } from '../../shared/text/rich-text.ts'
import { capitaliseFirst, foldName } from '../../shared/text/turkish.ts'
import { findUserByName, type UserRow } from '../accounts/queries.ts'
import { userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'

/** Message text whose remaining mentions all name existing users, and those users without duplicates. */
interface ResolvedMentions {
  content: string
  mentioned: UserRow[]
}

/**
 * Removes the @ of every name that has no holder. Users in a room hold their names, so one lookup by name covers room
 * users and all others. Names beyond `MAX_MENTIONS` are treated as unknown.
 */
export function resolveMentions(tx: Transaction, content: string): ResolvedMentions {
  if (!content.includes('@')) return { content, mentioned: [] }
  const usersByName = new Map<string, UserRow | undefined>()
  const findUser = (name: string): UserRow | undefined => {
    const folded = foldName(name)
    if (!usersByName.has(folded) && usersByName.size < MAX_MENTIONS) usersByName.set(folded, findUserByName(tx, name))
    return usersByName.get(folded)
  }
  const pieces = parseRichText(content).map((piece) =>
    piece.kind !== 'mention' || findUser(piece.name) ? piece.text : piece.name,
  )
  const mentioned = [...usersByName.values()].filter((user) => user !== undefined)
  return { content: capitaliseFirst(pieces.join('')), mentioned }
}

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
  }
}
