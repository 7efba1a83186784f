import type { MessageId, RoomId, UserId } from '../../shared/protocol/ids.ts'
import { MAX_MENTIONS } from '../../shared/room-chat/protocol.ts'
import { parseRichText } from '../../shared/text/rich-text.ts'
import { capitaliseFirst, foldName } from '../../shared/text/turkish.ts'
import { findUserByName, type UserRow } from '../accounts/queries.ts'
import { userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'

/** A message in which every mention left is of somebody, and who they are, each once. */
interface ResolvedMentions {
  content: string
  mentioned: UserRow[]
}

/**
 * Takes the @ away from every name that nobody has. Whoever is in a room holds their name, so looking for its holder
 * finds room users and existing users alike.
 */
export function resolveMentions(tx: Transaction, content: string): ResolvedMentions {
  if (!content.includes('@')) return { content, mentioned: [] }
  const found = new Map<string, UserRow | undefined>()
  const find = (name: string): UserRow | undefined => {
    const folded = foldName(name)
    if (!found.has(folded) && found.size < MAX_MENTIONS) found.set(folded, findUserByName(tx, name))
    return found.get(folded)
  }
  const kept = parseRichText(content).map((piece) =>
    piece.kind !== 'mention' || find(piece.name) ? piece.text : piece.name,
  )
  const mentioned = [...found.values()].filter((user) => user !== undefined)
  return { content: capitaliseFirst(kept.join('')), mentioned }
}

/** Tells each of them, but not somebody who mentions themselves. */
export function emitMentionNotifications(
  tx: Transaction,
  mentioned: readonly UserRow[],
  message: { id: MessageId; roomId: RoomId; content: string; senderId: UserId; senderUsername: string },
): void {
  const { id, roomId, content, senderId, senderUsername } = message
  for (const user of mentioned) {
    if (user.id === senderId) continue
    const whom = { mentionedUsername: user.username, userId: user.id, isGuest: user.isGuest === 1 }
    const payload = { ...whom, roomId, content, messageSender: senderUsername, messageId: id }
    tx.emit({ stream: userStream(user.id), name: 'mentionNotification', payload, actorId: senderId })
  }
}
