import { sql } from 'kysely'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { storeAnswer } from '../../kernel/database/commands/stored-answers.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import type { UserRow } from '../accounts/queries.ts'
import { removeMentions } from '../notifications/transactions.ts'
import { query } from '../schema/query.ts'
import { type MessageRow, type NewMessage, roomMessages, viewerWithoutBlocks } from './message-table.ts'
import { findLatestMessage, latestMessageOfRoom, toMessage } from './room-messages.ts'

const mediaOfMessages = query<{ ids: string }>()((db, p) =>
  db
    .selectFrom('message')
    .select('mediaId')
    .distinct()
    .where('id', 'in', sql<MessageId>`(select value from json_each(${p('ids')}))`)
    .where('mediaId', 'is not', null),
)
const deleteByIds = query<{ ids: string }>()((db, p) =>
  db.deleteFrom('message').where('id', 'in', sql<MessageId>`(select value from json_each(${p('ids')}))`),
)

/** The answer to `sendMessage`, as the message's row has it. */
export function answerOfMessage({ id, createdAt }: { id: MessageId; createdAt: number }) {
  return { success: true as const, id, createdAt }
}

/**
 * Stores a message of a room and sends it to the room.
 * @param latest the newest message of the room as the sender sees it
 * @param quote of the message that this one answers
 */
export function addRoomMessage(
  tx: Transaction,
  sender: UserRow,
  { consecutiveCount, ...message }: Omit<NewMessage<'roomId'>, 'createdAt'> & { consecutiveCount: number },
  { latest, quote }: { latest: { createdAt: number } | undefined; quote: Quote | null },
): MessageRow<'roomId'> {
  const { roomId } = message
  // A clock that was set back must not date a new message before the previous one.
  const createdAt = Math.max(tx.now, latest?.createdAt ?? 0)
  const row = roomMessages.insert(tx, sender, { ...message, createdAt }, { consecutiveCount })
  if (row.audience === null)
    tx.cached.set(latestMessageOfRoom, { roomId }, { senderId: sender.id, consecutiveCount, createdAt })
  const shown = toMessage(tx, viewerWithoutBlocks(sender), { ...row, replyToId: null })
  const payload = quote ? { ...shown, replyTo: quote } : shown
  tx.emit({ stream: roomStream(roomId), name: 'message', payload, actorId: sender.id })
  return row
}

/**
 * Adds a message of this sender whose text another feature has written, such as the line of a gift. Chat limits neither
 * refuse nor count it.
 */
export function postSystemMessage(
  tx: Transaction,
  sender: UserRow,
  line: { roomId: RoomId; content: string; clientId: string },
): void {
  const latest = findLatestMessage(tx, line.roomId, sender)
  const consecutiveCount = latest?.senderId === sender.id ? latest.consecutiveCount : 0
  const message = { ...line, consecutiveCount, replyToId: null, mediaId: null }
  addRoomMessage(tx, sender, message, { latest, quote: null })
}

/**
 * Deletes messages, lets their files expire, and returns the count. A retry of one that was sent this week still gets its
 * answer and stores no second message.
 */
export function deleteMessages(
  tx: Transaction,
  messages: readonly { id: MessageId; senderId: UserId; clientId: string; createdAt: number }[],
): number {
  for (const message of messages) {
    const key = { userId: message.senderId, clientId: message.clientId }
    const answer = answerOfMessage(message)
    storeAnswer(tx, key, { commandName: 'sendMessage', input: null }, { answer, ranAt: message.createdAt })
  }
  const messageIds = messages.map(({ id }) => id)
  removeMentions(tx, messageIds)
  const ids = JSON.stringify(messageIds)
  const media = tx.all(mediaOfMessages, { ids })
  const { changes } = tx.run(deleteByIds, { ids })
  for (const { mediaId } of media) if (mediaId !== null) roomMessages.media.expire(tx, mediaId)
  return changes
}
