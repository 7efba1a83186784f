import { DIRECT_MESSAGES_PER_PAGE } from '../../../shared/direct-messages/limits.ts'
import type { DirectMessage } from '../../../shared/direct-messages/message.ts'
import type { MessageId, UserId } from '../../../shared/protocol/ids.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { messageQuote } from '../../../shared/room-chat/quotes.ts'
import { unavailableQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import { canReceive, isShownAsGhost, NO_BLOCKS, type Viewer } from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import type { UserRow } from '../accounts/queries.ts'
import type { Participants } from '../relations/access.ts'
import { query } from '../schema/query.ts'
import { conversationSide, directMedia, findConversation } from './queries.ts'

const quotedMessage = query<{ conversationId: number; id: MessageId }>()((db, p) =>
  db
    .selectFrom('directMessage')
    .innerJoin('user', 'user.id', 'directMessage.senderId')
    .leftJoin('directMedia', 'directMedia.id', 'directMessage.mediaId')
    .select([
      'directMessage.content',
      'directMessage.senderId',
      'directMessage.audience',
      'directMessage.isRemoved',
      'user.username as senderUsername',
      'directMedia.mediaType',
    ])
    .where('directMessage.id', '=', p('id'))
    .where('directMessage.conversationId', '=', p('conversationId')),
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

const messagesBefore = query<{ conversationId: number; id: number; above: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select(messageColumns)
    .where('conversationId', '=', p('conversationId'))
    .where('id', '<', p('id'))
    .where('id', '>', p('above'))
    .where(visibleTo(p, 'directMessage.senderId'))
    .orderBy('id', 'desc')
    .limit(DIRECT_MESSAGES_PER_PAGE + 1),
)
const messagesAfter = query<{ conversationId: number; id: number } & VisibilityParams>()((db, p) =>
  db
    .selectFrom('directMessage')
    .select(messageColumns)
    .where('conversationId', '=', p('conversationId'))
    .where('id', '>', p('id'))
    .where(visibleTo(p, 'directMessage.senderId'))
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
  const readByOtherUpTo = reader.get(conversationSide, { userId: other.id, conversationId })?.lastReadId ?? 0
  const readUpTo = { [own.id]: readByOtherUpTo, [other.id]: ownSide.lastReadId }
  const shown = rows.slice(0, DIRECT_MESSAGES_PER_PAGE).map((row) =>
    toDirectMessage(reader, participants, row, {
      viewer: own,
      isRead: row.id <= (readUpTo[row.senderId] ?? 0),
      hiddenUpToId: above,
    }),
  )
  return { messages: side === 'before' ? shown.reverse() : shown, more: rows.length > DIRECT_MESSAGES_PER_PAGE }
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
  const replyTo = row.replyToId === null ? null : quoteOf(reader, viewer, row, row.replyToId, hiddenUpToId)
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
    ...(replyTo && { replyTo }),
    ...(media && { media }),
    ...(isMarkedAsGhost(viewer, row) && { isGhost: true as const }),
  }
}

/** Whether the viewer reads the message as that of a ghost-banned user. */
export function isMarkedAsGhost(
  viewer: Pick<UserRow, 'id' | 'role'>,
  { senderId, audience }: Pick<DirectMessageRow, 'senderId' | 'audience'>,
): boolean {
  return isShownAsGhost(toViewer(viewer), { actorId: senderId, audience })
}

/** The quote as the viewer may see it; null where a hidden message's sender quotes it: the viewer must not know of it. */
function quoteOf(
  reader: Pick<Reader, 'get'>,
  viewer: UserRow,
  { conversationId, id: answerId, senderId: authorId }: DirectMessageRow,
  id: MessageId,
  hiddenUpToId: number,
): Quote | null {
  // An id that a client invented must not quote a message that is written later.
  const mayQuote = id < answerId && id > hiddenUpToId
  const original = mayQuote ? reader.get(quotedMessage, { conversationId, id }) : undefined
  if (!original) return unavailableQuote(id)
  const { content, mediaType, senderId, senderUsername, isRemoved, audience } = original
  if (!canReceive(toViewer(viewer), { actorId: senderId, audience }))
    return authorId === senderId ? null : unavailableQuote(id)
  if (isRemoved === 1) return unavailableQuote(id)
  return { id, content: messageQuote(content, mediaType), senderId, senderUsername }
}

function toViewer({ id, role }: Pick<UserRow, 'id' | 'role'>): Viewer {
  return { userId: id, role, sessionId: 0, blockedIds: NO_BLOCKS }
}
