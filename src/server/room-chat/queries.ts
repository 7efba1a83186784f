import type { Message, Quote } from '../../shared/room-chat/message.ts'
import { KEPT_MESSAGES, QUOTE_LENGTH } from '../../shared/text/limits.ts'
import { quoteText } from '../../shared/text/quotes.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { type Attributed, mayHear, type Viewer } from '../live/visibility.ts'

/** The newest message of a room, for the rule of four in a row. */
export const lastMessage = query<{ roomId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['senderId', 'run', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .orderBy('id', 'desc')
    .limit(1),
)

const originalById = query<{ roomId: number; id: number; answerId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select(['message.content', 'user.username as senderUsername', 'message.senderId', 'message.audience'])
    .where('message.id', '=', p('id'))
    .where('message.roomId', '=', p('roomId'))
    // What a client made up must not become the quote of a message that comes later.
    .where('message.id', '<', p('answerId')),
)

/** What is quoted of a room's message; one that is gone, or that the reader may not see, says nothing of itself. */
export function quoteOf(
  reader: Pick<Reader, 'get'>,
  { roomId, id, answerId }: { roomId: number; id: number; answerId: number },
  maySee: (original: Attributed) => boolean,
): Quote {
  const original = reader.get(originalById, { roomId, id, answerId })
  if (!original || !maySee({ actorId: original.senderId, audience: original.audience })) {
    return { id, content: null, senderUsername: null }
  }
  return { id, content: quoteText(original.content, QUOTE_LENGTH), senderUsername: original.senderUsername }
}

const newestMessages = query<{ roomId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.senderId')
    .select([
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
    ])
    .where('message.roomId', '=', p('roomId'))
    .orderBy('message.id', 'desc')
    .limit(KEPT_MESSAGES),
)

/** The latest messages of a room that this viewer may see, oldest first. */
export function listLatestMessages(reader: Reader, roomId: number, viewer: Viewer): Message[] {
  return reader
    .all(newestMessages, { roomId })
    .filter((row) => mayHear(viewer, { actorId: row.senderId, audience: row.audience }))
    .map(({ audience: _, replyToId, ...row }) => ({
      ...row,
      senderIsGuest: row.senderIsGuest === 1,
      ...(replyToId !== null && {
        replyTo: quoteOf(reader, { roomId, id: replyToId, answerId: row.id }, (original) => mayHear(viewer, original)),
      }),
    }))
    .reverse()
}
