import { sql } from 'kysely'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { MAX_MENTIONS } from '../../../shared/room-chat/limits.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { parseRichText } from '../../../shared/text/rich-text.ts'
import { capitaliseFirst, foldName } from '../../../shared/text/turkish.ts'
import { storeAnswer } from '../../kernel/database/commands/stored-answers.ts'
import type { Audience } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { findUserByName, type UserRow } from '../accounts/queries.ts'
import { removeMentions } from '../notifications/transactions.ts'
import { query } from '../schema/query.ts'
import { indexProgress, indexRow } from './index-messages.ts'
import { findLatestMessage, latestMessageOfRoom, mediaOf, roomMedia } from './queries.ts'

/** A message before it has an id and a time. */
type NewMessage = {
  roomId: RoomId
  content: string
  consecutiveCount: number
  clientId: string
  replyToId: MessageId | null
  mediaId: number | null
}

const insertRow = query<NewMessage & { senderId: UserId; createdAt: number; audience: Audience | null }>()((db, p) =>
  db.insertInto('message').values({
    roomId: p('roomId'),
    senderId: p('senderId'),
    content: p('content'),
    consecutiveCount: p('consecutiveCount'),
    audience: p('audience'),
    clientId: p('clientId'),
    createdAt: p('createdAt'),
    replyToId: p('replyToId'),
    mediaId: p('mediaId'),
  }),
)
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
 * Stores a message of this sender and returns it as its event has it, without the quote of a reply.
 * A ghost's is for the ghost and root admins only.
 * @param latest the newest message of the room as the sender sees it
 */
export function insertMessage(
  tx: Transaction,
  sender: UserRow,
  message: NewMessage,
  latest: { createdAt: number } | undefined,
): Message {
  const { roomId, content, clientId, mediaId } = message
  // A clock that was set back must not date a new message before the previous one.
  const createdAt = Math.max(tx.now, latest?.createdAt ?? 0)
  const audience = sender.isGhost === 1 ? ('actor' as const) : null
  const row = { ...message, senderId: sender.id, createdAt, audience }
  const { lastId: id } = tx.run(insertRow, row)
  if (audience === null) tx.cached.set(latestMessageOfRoom, { roomId }, row)
  if (mediaId !== null) roomMedia.setUsed(tx, mediaId)
  return {
    id,
    roomId,
    content,
    createdAt,
    senderId: sender.id,
    senderUsername: sender.username,
    senderGender: sender.gender,
    senderAvatarUrl: sender.avatarUrl,
    senderIsGuest: sender.isGuest === 1,
    senderRole: sender.role,
    clientId,
    ...mediaOf(tx, mediaId),
  }
}

/**
 * Adds a message of this sender whose text another feature has written, such as the line of a gift. Chat limits neither
 * refuse nor count it.
 */
export function postSystemMessage(
  tx: Transaction,
  sender: UserRow,
  line: Pick<NewMessage, 'roomId' | 'content' | 'clientId'>,
): void {
  const latest = findLatestMessage(tx, line.roomId, sender)
  const consecutiveCount = latest?.senderId === sender.id ? latest.consecutiveCount : 0
  const payload = insertMessage(tx, sender, { ...line, consecutiveCount, replyToId: null, mediaId: null }, latest)
  tx.emit({ stream: roomStream(line.roomId), name: 'message', payload, actorId: sender.id })
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
  for (const { mediaId } of media) if (mediaId !== null) roomMedia.expire(tx, mediaId)
  return changes
}

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

/** Indexes a message whose text has changed, which removed it from the index; later ones are left to `indexMessages`. */
export function reindexMessage(tx: Transaction, row: { id: MessageId; roomId: RoomId; content: string }): void {
  if (row.id <= (tx.get(indexProgress)?.indexedUpToId ?? 0)) indexRow(tx, row)
}
