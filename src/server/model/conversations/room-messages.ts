import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { unreachable } from '../../../shared/protocol/unreachable.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import { decodeEventPayload, isEvent, type LoggedEvent } from '../../kernel/database/events/logged-event.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { NO_BLOCKS, type Viewer, visibilityVerdict } from '../../kernel/live/visibility.ts'
import type { UserRow } from '../accounts/queries.ts'
import { getRemovedRanges, isRemoved } from '../message-removal/queries.ts'
import { query } from '../schema/query.ts'
import { type MessageRow, roomMessages } from './message-table.ts'

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
/** A viewer who sees only what everybody sees. */
export const PUBLIC_VIEWER: Viewer = { userId: 0, sessionId: 0, role: 'guest', blockedIds: NO_BLOCKS }

/** Whether an event of a user's stream is about a message removed since. Room streams are not replayed across a removal at all. */
export function isAboutRemovedMessage(reader: Pick<Reader, 'get'>, event: LoggedEvent): boolean {
  if (!isEvent(event, 'mentionNotification')) return false
  return !roomMessages.isPresent(reader, decodeEventPayload(event).messageId)
}

/**
 * The newest message of a room as its next sender sees it, for the limit on consecutive messages: those of ghosts count
 * for their senders alone.
 */
export function findLatestMessage(tx: Pick<Transaction, 'get' | 'cached'>, roomId: RoomId, sender: UserRow) {
  if (sender.isGhost === 1) return tx.get(latestMessageWithOwn, { roomId, ownId: sender.id })
  return tx.cached.get(latestMessageOfRoom, { roomId })
}

/** A page of a room's messages, oldest first; `more` says whether there are further ones on that side. */
export interface MessagePage {
  messages: Message[]
  more: boolean
}

/** Up to 40 messages before or after an id that this viewer may see. */
export function listMessages(
  reader: Pick<Reader, 'all' | 'get'>,
  viewer: Viewer,
  { roomId, ...range }: { roomId: RoomId; id: MessageId; side: 'before' | 'after' },
): MessagePage {
  const removed = getRemovedRanges(reader, roomId)
  const { rows, more } = roomMessages.listPage(reader, viewer, {
    ...range,
    placeId: roomId,
    above: removed.roomUpToId,
    isKept: (row) => !isRemoved(removed, row),
  })
  return { messages: rows.map((row) => toMessage(reader, viewer, row)), more }
}

/** The latest messages of a room that this viewer may see, oldest first. */
export function listLatestMessages(reader: Reader, roomId: RoomId, viewer: Viewer): Message[] {
  return listMessages(reader, viewer, { roomId, id: Number.MAX_SAFE_INTEGER, side: 'before' }).messages
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
export function toMessage(reader: Pick<Reader, 'get'>, viewer: Viewer, row: MessageRow<'roomId'>): Message {
  const { media, ...message } = roomMessages.toMessage(reader, viewer, row)
  return { ...message, roomId: row.roomId, ...(media && { media, mediaId: media.mediaId }) }
}
