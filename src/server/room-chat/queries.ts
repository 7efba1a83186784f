import { decode } from '@msgpack/msgpack'
import type { EventPayload } from '../../shared/protocol/catalogue.ts'
import type { Message, Quote } from '../../shared/room-chat/message.ts'
import { KEPT_MESSAGES, QUOTE_LENGTH } from '../../shared/text/limits.ts'
import { goneQuote, quoteText, withoutQuote } from '../../shared/text/quotes.ts'
import type { LoggedEvent } from '../database/events.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Flag } from '../database/schema.ts'
import { type Attributed, mayRead, type Viewer, verdictOn } from '../live/visibility.ts'
import { goneFrom, isGone, isThere } from '../moderation/queries.ts'

/** The newest message of a room, for the rule of four in a row. */
export const lastMessage = query<{ roomId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['senderId', 'run', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .orderBy('id', 'desc')
    .limit(1),
)

const standingById = query<{ id: number }>()((db, p) =>
  db.selectFrom('message').select('id').where('id', '=', p('id')).where(isThere),
)

const originalById = query<{ roomId: number; id: number; answerId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(['message.content', 'user.username as senderUsername', 'message.senderId', 'message.audience'])
    .where('message.id', '=', p('id'))
    .where('message.roomId', '=', p('roomId'))
    // What a client made up must not become the quote of a message that comes later.
    .where('message.id', '<', p('answerId'))
    .where(isThere),
)

/** Whether an event tells of a message that was taken away since. Those of rooms are not replayed at all then. */
export function isOfGoneMessage(reader: Pick<Reader, 'get'>, { name, payload }: LoggedEvent): boolean {
  if (name !== 'mentionNotification') return false
  const { messageId } = decode(payload) as EventPayload<'mentionNotification'> // as it was emitted
  return reader.get(standingById, { id: messageId }) === undefined
}

/** What is quoted of a room's message; one that is gone, or that the reader may not see, says nothing of itself. */
export function quoteOf(
  reader: Pick<Reader, 'get'>,
  { roomId, id, answerId }: { roomId: number; id: number; answerId: number },
  maySee: (original: Attributed) => boolean,
): Quote {
  const original = reader.get(originalById, { roomId, id, answerId })
  if (!original || !maySee({ actorId: original.senderId, audience: original.audience })) {
    return goneQuote(id)
  }
  const { content, senderId, senderUsername } = original
  return { id, content: quoteText(content, QUOTE_LENGTH), senderId, senderUsername }
}

/** What a message is shown with, and what the verdict on it asks. */
export const shownColumns = [
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
] as const

type ShownRow = Omit<Message, 'senderIsGuest' | 'replyTo'> & {
  senderIsGuest: Flag
  audience: string | null
  replyToId: number | null
}

const messagesBefore = query<{ roomId: number; id: number }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(shownColumns)
    .where('message.roomId', '=', p('roomId'))
    .where('message.id', '<', p('id'))
    .orderBy('message.id', 'desc')
    .limit(KEPT_MESSAGES + 1),
)

const messagesAfter = query<{ roomId: number; id: number }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(shownColumns)
    .where('message.roomId', '=', p('roomId'))
    .where('message.id', '>', p('id'))
    .orderBy('message.id')
    .limit(KEPT_MESSAGES + 1),
)

/** A page is filled by at most this many reads: whoever may see hardly anything of a room gets less of it at once. */
const MOST_READS = 25

/** A page of a room's messages, oldest first, and whether there is more beyond it. */
export interface MessagePage {
  messages: Message[]
  more: boolean
}

/** The 40 messages before or after an id that this viewer may see. */
export function listMessages(
  reader: Pick<Reader, 'all' | 'get'>,
  viewer: Viewer,
  { roomId, id, side }: { roomId: number; id: number; side: 'before' | 'after' },
): MessagePage {
  const page: ShownRow[] = []
  const gone = goneFrom(reader, roomId)
  let from = side === 'after' ? Math.max(id, gone.upToId) : id
  let more = true
  for (let reads = 0; more && page.length <= KEPT_MESSAGES && reads < MOST_READS; reads++) {
    const rows = reader.all(side === 'before' ? messagesBefore : messagesAfter, { roomId, id: from })
    from = rows.at(-1)?.id ?? from
    more = rows.length > KEPT_MESSAGES && from > gone.upToId
    page.push(...rows.filter((row) => maySee(viewer, row) && !isGone(gone, row)))
  }
  const shown = page.slice(0, KEPT_MESSAGES).map((row) => toMessage(reader, viewer, row))
  return { messages: side === 'before' ? shown.reverse() : shown, more: more || page.length > KEPT_MESSAGES }
}

/** The latest messages of a room that this viewer may see, oldest first. */
export function listLatestMessages(reader: Reader, roomId: number, viewer: Viewer): Message[] {
  return listMessages(reader, viewer, { roomId, id: Number.MAX_SAFE_INTEGER, side: 'before' }).messages
}

/** Whether the viewer may see this message, wherever it is read: on a page, in the history, by a search. */
export function maySee(viewer: Viewer, { senderId, audience }: Pick<ShownRow, 'senderId' | 'audience'>): boolean {
  return mayRead(viewer, { actorId: senderId, audience })
}

/** A message that somebody was to see, as this viewer sees it now: perhaps without its quote, or not at all (null). */
export function asShownTo(viewer: Viewer, message: Message): Message | null {
  const { senderId, replyTo } = message
  switch (verdictOn(viewer, { actorId: senderId, audience: null, quotedId: replyTo?.senderId ?? null })) {
    case 'deliver':
      return message
    case 'withholdQuote':
      return withoutQuote(message)
    case 'hide':
      return null
  }
}

/** A row as the viewer sees it. */
export function toMessage(reader: Pick<Reader, 'get'>, viewer: Viewer, shown: ShownRow): Message {
  const { audience: _, replyToId, ...row } = shown
  return {
    ...row,
    senderIsGuest: row.senderIsGuest === 1,
    ...(replyToId !== null && {
      replyTo: quoteOf(reader, { roomId: row.roomId, id: replyToId, answerId: row.id }, (original) =>
        mayRead(viewer, original),
      ),
    }),
  }
}
