import type { RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query } from '../schema/query.ts'

const grantOfSession = query<{ roomId: RoomId; sessionId: SessionId }>()((db, p) =>
  db.selectFrom('roomGrant').select('roomId').where('roomId', '=', p('roomId')).where('sessionId', '=', p('sessionId')),
)
const grantOfUser = query<{ roomId: RoomId; userId: UserId }>()((db, p) =>
  db
    .selectFrom('roomGrant')
    .select('roomId')
    .where('roomId', '=', p('roomId'))
    .where('userId', '=', p('userId'))
    .limit(1),
)

/** Whether the session has given the present password of the room. */
export function hasRoomGrant(reader: Pick<Reader, 'get'>, roomId: RoomId, sessionId: SessionId): boolean {
  return reader.get(grantOfSession, { roomId, sessionId }) !== undefined
}

/** Whether one of the user's sessions has given the present password of the room. */
export function hasGrantedSession(reader: Pick<Reader, 'get'>, roomId: RoomId, userId: UserId): boolean {
  return reader.get(grantOfUser, { roomId, userId }) !== undefined
}
