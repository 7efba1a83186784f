import { sql } from 'kysely'
import { DIRECT_MESSAGES_PER_PAGE } from '../../shared/direct-messages/limits.ts'
import type { DirectMessage } from '../../shared/direct-messages/message.ts'
import { mediaPreviews } from '../../shared/media/previews.ts'
import type { MessageId, UserId } from '../../shared/protocol/ids.ts'
import type { Quote } from '../../shared/room-chat/message.ts'
import { messageQuote, unavailableQuote } from '../../shared/room-chat/quotes.ts'
import { MESSAGE_REMOVED_TEXT } from '../../shared/sanctions/message-removed-text.ts'
import type { UserRow } from '../accounts/queries.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Flag } from '../database/schema.ts'
import { isShownAsGhost, NO_BLOCKS } from '../live/visibility.ts'
import { MessageMedia } from '../media/transactions.ts'
import { getParticipants, type Participants } from '../relations/access.ts'
import { type MessageReader, type VisibilityParams, visibilityOf, visibleTo } from './visible-to.ts'

/** The conversation of two users, the one with the lower id first. */
export const conversationOfUsers = query<{ lowUserId: UserId; highUserId: UserId }>()((db, p) =>
  db
    .selectFrom('conversation')
    .select('id')
    .where('lowUserId', '=', p('lowUserId'))
    .where('highUserId', '=', p('highUserId')),
)

/** One user's side of a conversation. */
export const conversationSide = query<{ userId: UserId; conversationId: number }>()((db, p) =>
  db
    .selectFrom('conversationSide')
    .selectAll()
    .where('userId', '=', p('userId'))
    .where('conversationId', '=', p('conversationId')),
)

/** The files of direct messages. */
export const directMedia = new MessageMedia('directMedia', 'directMessage')

const quotedMessage = query<{ conversationId: number; id: MessageId } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('user', 'user.id', 'directMessage.senderId')
    .leftJoin('directMedia', 'directMedia.id', 'directMessage.mediaId')
    .select([
      'directMessage.content',
      'directMessage.senderId',
      'user.username as senderUsername',
      'directMedia.mediaType',
    ])
    .where('directMessage.id', '=', p('id'))
    .where('directMessage.conversationId', '=', p('conversationId'))
    .where('directMessage.isRemoved', '=', 0)
    .where(visibleTo(p)),
)

const unreadTotal = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('conversationSide')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('unreadCount'), eb.lit(0)).as('count'))
    .where('userId', '=', p('userId'))
    .where('unreadCount', '>', 0),
)

const unreadSides = query<{ userId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('conversationSide')
    .select(['conversationId', 'otherUserId', 'lastReadId', 'deletedUpToId'])
    .where('userId', '=', p('userId'))
    .where('unreadCount', '>', 0)
    .orderBy('lastMessageId', 'desc')
    .limit(p('limit')),
)
type ReceivedAfter = { conversationId: number; senderId: UserId; above: number; limit: number } & VisibilityParams
const receivedAfter = query<ReceivedAfter>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('user', 'user.id', 'directMessage.senderId')
    .leftJoin('directMedia', 'directMedia.id', 'directMessage.mediaId')
    .select([
      'directMessage.id',
      'directMessage.senderId',
      'directMessage.content',
      'directMessage.createdAt',
      'directMessage.isRemoved',
      'directMedia.mediaType',
      'user.username as senderUsername',
      'user.avatarUrl as senderAvatarUrl',
      'user.gender as senderGender',
      'user.isGuest as senderIsGuest',
    ])
    .where('directMessage.conversationId', '=', p('conversationId'))
    .where('directMessage.senderId', '=', p('senderId'))
    .where('directMessage.id', '>', p('above'))
    .where(visibleTo(p))
    .orderBy('directMessage.id', 'desc')
    .limit(p('limit')),
)
const unreadById = query<{ userId: UserId; ids: string } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('conversationSide', (join) =>
      join
        .onRef('conversationSide.conversationId', '=', 'directMessage.conversationId')
        .onRef('conversationSide.otherUserId', '=', 'directMessage.senderId')
        .on('conversationSide.userId', '=', p('userId')),
    )
    .select(['directMessage.id', 'directMessage.senderId'])
    .where('directMessage.id', 'in', sql<MessageId>`(select value from json_each(${p('ids')}))`)
    .whereRef('directMessage.id', '>', 'conversationSide.lastReadId')
    .whereRef('directMessage.id', '>', 'conversationSide.deletedUpToId')
    .where(visibleTo(p)),
)

const hiddenMessage = query<{ conversationId: number; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select('id')
    .where('conversationId', '=', p('conversationId'))
    .where('senderId', '=', p('senderId'))
    .where('audience', 'is not', null)
    .limit(1),
)

const messageColumns = [
  'directMessage.id',
  'directMessage.conversationId',
  'directMessage.senderId',
  'directMessage.content',
  'directMessage.mediaId',
  'directMessage.replyToId',
  'directMessage.clientId',
  'directMessage.createdAt',
  'directMessage.isRemoved',
  'directMessage.audience',
] as const

/** A message with the users of its conversation. */
const messageWithUsers = query<{ id: MessageId }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('conversation', 'conversation.id', 'directMessage.conversationId')
    .select(['directMessage.senderId', 'conversation.lowUserId', 'conversation.highUserId'])
    .where('directMessage.id', '=', p('id')),
)
const messagesBefore = query<{ conversationId: number; id: number; above: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select(messageColumns)
    .where('conversationId', '=', p('conversationId'))
    .where('id', '<', p('id'))
    .where('id', '>', p('above'))
    .where(visibleTo(p))
    .orderBy('id', 'desc')
    .limit(DIRECT_MESSAGES_PER_PAGE + 1),
)
const messagesAfter = query<{ conversationId: number; id: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select(messageColumns)
    .where('conversationId', '=', p('conversationId'))
    .where('id', '>', p('id'))
    .where(visibleTo(p))
    .orderBy('id')
    .limit(DIRECT_MESSAGES_PER_PAGE + 1),
)

/** The row of a message, without what its bubble shows of its sender. */
export interface DirectMessageRow {
  id: MessageId
  conversationId: number
  senderId: UserId
  content: string
  mediaId: number | null
  replyToId: MessageId | null
  clientId: string
  createdAt: number
  isRemoved: Flag
  audience: 'actor' | null
}

/** The id of the conversation of two users; undefined before the first message of either. */
export function findConversation(reader: Pick<Reader, 'get'>, oneId: UserId, otherId: UserId): number | undefined {
  return reader.get(conversationOfUsers, { lowUserId: Math.min(oneId, otherId), highUserId: Math.max(oneId, otherId) })
    ?.id
}

/** The same for one of them: undefined also while all of its messages are hidden from this user. */
export function findOwnConversation(reader: Pick<Reader, 'get'>, ownId: UserId, otherId: UserId): number | undefined {
  const conversationId = findConversation(reader, ownId, otherId)
  const side = conversationId && reader.get(conversationSide, { userId: ownId, conversationId })
  return side ? conversationId : undefined
}

/** Whether a user has written messages in a conversation that are hidden from the other one. */
export function hasHiddenMessages(reader: Pick<Reader, 'get'>, conversationId: number, senderId: UserId): boolean {
  return reader.get(hiddenMessage, { conversationId, senderId }) !== undefined
}

/** How many direct messages the user has not read. */
export function countUnread(reader: Pick<Reader, 'get'>, userId: UserId): number {
  return reader.get(unreadTotal, { userId })?.count ?? 0
}

/** The user's latest unread messages, by conversation, the latest conversation first. */
export function listUnreadMessages(reader: Pick<Reader, 'all'>, viewer: MessageReader, limit: number) {
  const { userId } = viewer
  const visibility = visibilityOf(viewer)
  return reader
    .all(unreadSides, { userId, limit })
    .flatMap(({ conversationId, otherUserId: senderId, lastReadId, deletedUpToId }) =>
      reader.all(receivedAfter, {
        ...{ conversationId, senderId, above: Math.max(lastReadId, deletedUpToId), limit },
        ...visibility,
      }),
    )
    .slice(0, limit)
    .map(({ mediaType, isRemoved, ...message }) => ({
      ...message,
      content: isRemoved === 1 ? MESSAGE_REMOVED_TEXT : message.content || (mediaType ? mediaPreviews[mediaType] : ''),
    }))
}

/** Those of the messages that the user has received and not read. */
export function listUnreadOf(reader: Pick<Reader, 'all'>, viewer: MessageReader, ids: readonly MessageId[]) {
  return reader.all(unreadById, { userId: viewer.userId, ids: JSON.stringify(ids), ...visibilityOf(viewer) })
}

/** A page of messages as one user sees them, oldest first; `more`: there are further ones on that side. */
export function listDirectMessages(
  reader: Pick<Reader, 'all' | 'get'>,
  participants: Participants,
  { id, side }: { id: number; side: 'before' | 'after' },
): { messages: DirectMessage[]; more: boolean } {
  const { own, other } = participants
  const conversationId = findConversation(reader, own.id, other.id)
  const ownSide = conversationId && reader.get(conversationSide, { userId: own.id, conversationId })
  if (!conversationId || !ownSide) return { messages: [], more: false }
  const above = ownSide.deletedUpToId
  const visibility = visibilityOf({ userId: own.id, role: own.role })
  const rows =
    side === 'before'
      ? reader.all(messagesBefore, { conversationId, id, above, ...visibility })
      : reader.all(messagesAfter, { conversationId, id: Math.max(id, above), ...visibility })
  const readByOtherUpTo =
    ownSide.shownReadId ?? reader.get(conversationSide, { userId: other.id, conversationId })?.lastReadId ?? 0
  const readUpTo = { [own.id]: readByOtherUpTo, [other.id]: ownSide.lastReadId }
  const shown = rows
    .slice(0, DIRECT_MESSAGES_PER_PAGE)
    .map((row) =>
      toDirectMessage(reader, participants, row, {
        viewer: own,
        isRead: row.id <= (readUpTo[row.senderId] ?? 0),
        hiddenUpToId: above,
      }),
    )
  return { messages: side === 'before' ? shown.reverse() : shown, more: rows.length > DIRECT_MESSAGES_PER_PAGE }
}

/** The two users of a message's conversation, `own` its sender; undefined when there is no such message. */
export function findUsersOfMessage(reader: Pick<Reader, 'get'>, id: MessageId): Participants | undefined {
  const found = reader.get(messageWithUsers, { id })
  if (!found) return undefined
  const { senderId, lowUserId, highUserId } = found
  return getParticipants(reader, senderId, senderId === lowUserId ? highUserId : lowUserId)
}

/** A message as `own` sees it now; undefined when it is deleted on this side. */
export function findDirectMessage(
  reader: Pick<Reader, 'all' | 'get'>,
  participants: Participants,
  id: MessageId,
): DirectMessage | undefined {
  const { messages } = listDirectMessages(reader, participants, { id: id - 1, side: 'after' })
  return messages[0]?.id === id ? messages[0] : undefined
}

/** How one of the two users sees a message. */
interface MessageView {
  viewer: UserRow
  isRead: boolean
  /** A quote of a message up to here is unavailable. */
  hiddenUpToId: number
}

/** A message as one of the users of its conversation sees it. */
export function toDirectMessage(
  reader: Pick<Reader, 'get'>,
  { own, other }: Participants,
  row: DirectMessageRow,
  { viewer, isRead, hiddenUpToId }: MessageView,
): DirectMessage {
  const [sender, recipient] = row.senderId === own.id ? [own, other] : [other, own]
  const media = row.mediaId === null ? null : directMedia.find(reader, row.mediaId)
  return {
    id: row.id,
    content: row.content,
    createdAt: row.createdAt,
    senderId: sender.id,
    senderUsername: sender.username,
    senderGender: sender.gender,
    senderAvatarUrl: sender.isGuest === 1 ? null : sender.avatarUrl,
    senderIsGuest: sender.isGuest === 1,
    senderRole: sender.role,
    recipientId: recipient.id,
    recipientUsername: recipient.username,
    read: isRead,
    clientId: row.clientId,
    ...(row.isRemoved === 1 && { isRemoved: true as const }),
    ...(row.replyToId !== null && { replyTo: quoteOf(reader, viewer, row, row.replyToId, hiddenUpToId) }),
    ...(media && { media }),
    ...(isMarkedAsGhost(viewer, row) && { isGhost: true as const }),
  }
}

/** Whether the viewer reads the message as that of a ghost-banned user. */
export function isMarkedAsGhost(
  { id, role }: Pick<UserRow, 'id' | 'role'>,
  { senderId, audience }: Pick<DirectMessageRow, 'senderId' | 'audience'>,
): boolean {
  return isShownAsGhost({ userId: id, role, sessionId: 0, blockedIds: NO_BLOCKS }, { actorId: senderId, audience })
}

function quoteOf(
  reader: Pick<Reader, 'get'>,
  viewer: UserRow,
  { conversationId, id: answerId }: DirectMessageRow,
  id: MessageId,
  hiddenUpToId: number,
): Quote {
  // An id that a client invented must not quote a message that is written later.
  const mayQuote = id < answerId && id > hiddenUpToId
  const visibility = visibilityOf({ userId: viewer.id, role: viewer.role })
  const original = mayQuote ? reader.get(quotedMessage, { conversationId, id, ...visibility }) : undefined
  if (!original) return unavailableQuote(id)
  const { content, mediaType, senderId, senderUsername } = original
  return { id, content: messageQuote(content, mediaType), senderId, senderUsername }
}
