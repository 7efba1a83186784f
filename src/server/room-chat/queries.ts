import type { Message } from '../../shared/room-chat/message.ts'
import { KEPT_MESSAGES } from '../../shared/text/limits.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import { mayHear, type Viewer } from '../live/visibility.ts'

/** The newest message of a room, for the rule of four in a row. */
export const lastMessage = query<{ roomId: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['senderId', 'run', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .orderBy('id', 'desc')
    .limit(1),
)

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
    .map(({ audience: _, ...row }) => ({ ...row, senderIsGuest: row.senderIsGuest === 1 }))
    .reverse()
}
