import { sql } from 'kysely'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { unreachable } from '../../../shared/protocol/unreachable.ts'
import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import type { Message, Quote } from '../../../shared/room-chat/message.ts'
import { messageQuote } from '../../../shared/room-chat/quotes.ts'
import { redactQuote, unavailableQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import { decodeEventPayload, isEvent, type LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import type { Audience } from '../../kernel/database/events/streams.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import {
  type Authored,
  canRead,
  canReceive,
  isShownAsGhost,
  NO_BLOCKS,
  type Viewer,
  visibilityVerdict,
} from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import type { UserRow } from '../accounts/queries.ts'
import { MessageMedia } from '../media/transactions.ts'
import { getRemovedRanges, isRemoved, notRemoved } from '../message-removal/queries.ts'
import { query } from '../schema/query.ts'

/** The files of rooms' messages. */
export const roomMedia = new MessageMedia('roomMedia', 'message')

/** The newest message of a room that everybody may see. */
export const latestMessageOfRoom = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['senderId', 'consecutiveCount', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .where('audience', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)
const latestMessageWithOwn = query<{ roomId: RoomId; ownId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['senderId', 'consecutiveCount', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .where((eb) => eb.or([eb('audience', 'is', null), eb('senderId', '=', p('ownId'))]))
    .orderBy('id', 'desc')
    .limit(1),
)

const presentMessageById = query<{ id: MessageId }>()((db, p) =>
  db.selectFrom('message').select('id').where('id', '=', p('id')).where('isRemoved', '=', 0).where(notRemoved),
)

const quotedMessageById = query<{ roomId: RoomId; id: MessageId; answerId: MessageId }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .leftJoin('roomMedia', 'roomMedia.id', 'message.mediaId')
    .select([
      'message.content',
      'user.username as senderUsername',
      'message.senderId',
      'message.audience',
      'roomMedia.mediaType',
      sql<Flag>`message.isRemoved = 1 or not (${notRemoved})`.as('isRemoved'),
    ])
    .where('message.id', '=', p('id'))
    .where('message.roomId', '=', p('roomId'))
    // An id that a client invented must not quote a message that is written later.
    .where('message.id', '<', p('answerId')),
)

/** Whether an event of a user's stream is about a message removed since. Room streams are not replayed across a removal at all. */
export function isAboutRemovedMessage(reader: Pick<Reader, 'get'>, event: LoggedEvent): boolean {
  if (!isEvent(event, 'mentionNotification')) return false
  return !isMessagePresent(reader, decodeEventPayload(event).messageId)
}

/** Whether a message exists and is not removed. */
export function isMessagePresent(reader: Pick<Reader, 'get'>, id: MessageId): boolean {
  return reader.get(presentMessageById, { id }) !== undefined
}

/**
 * The newest message of a room as its next sender sees it, for the limit on consecutive messages: those of ghosts count
 * for their senders alone.
 */
export function findLatestMessage(tx: Pick<Transaction, 'get' | 'cached'>, roomId: RoomId, sender: UserRow) {
  if (sender.isGhost === 1) return tx.get(latestMessageWithOwn, { roomId, ownId: sender.id })
  return tx.cached.get(latestMessageOfRoom, { roomId })
}

/** A reply, as far as its quote depends on it. */
type Reply = Pick<Message, 'id' | 'roomId' | 'senderId' | 'senderRole'> & { replyToId: MessageId }

/**
 * The quote of a room's message with its original, as the author of the reply sees it; blocks aside. Without an original
 * there is none, or the author cannot see it, as with an id that a client invented.
 */
export function findQuote(
  reader: Pick<Reader, 'get'>,
  { roomId, replyToId: id, id: answerId, senderId: userId, senderRole: role }: Reply,
): { quote: Quote; original: Authored | null } {
  const row = reader.get(quotedMessageById, { roomId, id, answerId })
  const original = row ? { actorId: row.senderId, audience: row.audience } : null
  if (!row || !original || !canReceive({ ...PUBLIC_VIEWER, userId, role }, original))
    return { quote: unavailableQuote(id), original: null }
  const { content, mediaType, senderId, senderUsername, isRemoved } = row
  if (isRemoved === 1) return { quote: unavailableQuote(id), original }
  return { quote: { id, content: messageQuote(content, mediaType), senderId, senderUsername }, original }
}

/** The quote as this viewer may see it. */
function quoteFor(viewer: Viewer, { quote, original }: ReturnType<typeof findQuote>): Quote {
  return !original || canRead(viewer, original) ? quote : unavailableQuote(quote.id)
}

/** The columns that `toMessage` and the visibility check need. */
export const messageColumns = [
  'message.id',
  'message.roomId',
  'message.content',
  'message.createdAt',
  'message.clientId',
  'message.audience',
  'message.senderId',
  'user.username as senderUsername',
  'user.gender as senderGender',
  'user.avatarUrl as senderAvatarUrl',
  'user.isGuest as senderIsGuest',
  'user.role as senderRole',
  'message.replyToId',
  'message.mediaId',
  'message.isRemoved',
] as const

/** A row of a message with what a bubble shows of its sender. */
export type MessageRow = Omit<Message, 'senderIsGuest' | 'replyTo' | 'media' | 'mediaId' | 'isRemoved' | 'isGhost'> & {
  senderIsGuest: Flag
  isRemoved: Flag
  audience: Audience | null
  replyToId: MessageId | null
  mediaId: number | null
}

const messageRowById = query<{ id: MessageId }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(messageColumns)
    .where('message.id', '=', p('id'))
    .where(notRemoved),
)

/** Whom a page is read for: the rows of others that only their senders may see are not read. */
type PageOfViewer = { roomId: RoomId; id: MessageId } & VisibilityParams

const messagesBefore = query<PageOfViewer>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(messageColumns)
    .where('message.roomId', '=', p('roomId'))
    .where('message.id', '<', p('id'))
    .where(visibleTo(p, 'message.senderId'))
    .orderBy('message.id', 'desc')
    .limit(MESSAGES_PER_PAGE + 1),
)

const messagesAfter = query<PageOfViewer>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(messageColumns)
    .where('message.roomId', '=', p('roomId'))
    .where('message.id', '>', p('id'))
    .where(visibleTo(p, 'message.senderId'))
    .orderBy('message.id')
    .limit(MESSAGES_PER_PAGE + 1),
)

/** Limit on reads per page; a viewer who may see few messages of a room gets a shorter page. */
const MAX_PAGE_READS = 25

/** A page of a room's messages, oldest first; `more` says whether there are further ones on that side. */
export interface MessagePage {
  messages: Message[]
  more: boolean
}

/** Up to 40 messages before or after an id that this viewer may see. */
export function listMessages(
  reader: Pick<Reader, 'all' | 'get'>,
  viewer: Viewer,
  { roomId, id, side }: { roomId: RoomId; id: MessageId; side: 'before' | 'after' },
): MessagePage {
  const page: MessageRow[] = []
  const removed = getRemovedRanges(reader, roomId)
  let from = side === 'after' ? Math.max(id, removed.roomUpToId) : id
  let more = true
  for (let reads = 0; more && page.length <= MESSAGES_PER_PAGE && reads < MAX_PAGE_READS; reads++) {
    const rows = reader.all(side === 'before' ? messagesBefore : messagesAfter, {
      roomId,
      id: from,
      ...visibilityOf(viewer),
    })
    from = rows.at(-1)?.id ?? from
    more = rows.length > MESSAGES_PER_PAGE && from > removed.roomUpToId
    page.push(...rows.filter((row) => canSeeMessage(viewer, row) && !isRemoved(removed, row)))
  }
  const shown = page.slice(0, MESSAGES_PER_PAGE).map((row) => toMessage(reader, viewer, row))
  return { messages: side === 'before' ? shown.reverse() : shown, more: more || page.length > MESSAGES_PER_PAGE }
}

/** The row of a message that exists, also where a moderator has removed its text. */
export function findMessageRow(reader: Pick<Reader, 'get'>, id: MessageId): MessageRow | undefined {
  return reader.get(messageRowById, { id })
}

/** The latest messages of a room that this viewer may see, oldest first. */
export function listLatestMessages(reader: Reader, roomId: RoomId, viewer: Viewer): Message[] {
  return listMessages(reader, viewer, { roomId, id: Number.MAX_SAFE_INTEGER, side: 'before' }).messages
}

/** A viewer who sees only what everybody sees. */
export const PUBLIC_VIEWER: Viewer = { userId: 0, sessionId: 0, role: 'guest', blockedIds: NO_BLOCKS }

/** Whether the viewer may see this message: the one check for pages, history and search. */
export function canSeeMessage(
  viewer: Viewer,
  { senderId, audience }: Pick<MessageRow, 'senderId' | 'audience'>,
): boolean {
  return canRead(viewer, { actorId: senderId, audience })
}

/** A message as this viewer may see it now: unchanged, without its quote, or null when it is hidden. */
export function redactMessageFor(viewer: Viewer, message: Message): Message | null {
  const { senderId, replyTo } = message
  const verdict = visibilityVerdict(viewer, { actorId: senderId, audience: null, quotedId: replyTo?.senderId ?? null })
  switch (verdict) {
    case 'deliver':
      return message
    case 'withholdQuote':
      return redactQuote(message)
    case 'hide':
      return null
    default:
      return unreachable(verdict)
  }
}

/** The message of a row, with its quote as this viewer may see it. */
export function toMessage(reader: Pick<Reader, 'get'>, viewer: Viewer, shown: MessageRow): Message {
  const { audience, replyToId, mediaId, isRemoved, ...row } = shown
  const replyTo = replyToId === null ? null : quoteFor(viewer, findQuote(reader, { ...row, replyToId }))
  return {
    ...row,
    senderIsGuest: row.senderIsGuest === 1,
    ...(isRemoved === 1 && { isRemoved: true as const }),
    ...(replyTo && { replyTo }),
    ...mediaOf(reader, mediaId),
    ...(isShownAsGhost(viewer, { actorId: row.senderId, audience }) && { isGhost: true }),
  }
}

/** The fields of a message with a file. */
export function mediaOf(reader: Pick<Reader, 'get'>, mediaId: number | null): Pick<Message, 'media' | 'mediaId'> {
  const media = mediaId === null ? null : roomMedia.find(reader, mediaId)
  return media ? { media, mediaId: media.mediaId } : {}
}
