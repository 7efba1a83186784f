import type { Selectable } from 'kysely'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { query, type Tables } from '../schema/query.ts'

export type RoomRow = Selectable<Tables['room']>

export const roomById = query<{ id: RoomId }>()((db, p) => db.selectFrom('room').selectAll().where('id', '=', p('id')))

export const roomByFoldedName = query<{ foldedName: string }>()((db, p) =>
  db.selectFrom('room').select('id').where('foldedName', '=', p('foldedName')),
)

export const listedRooms = query()((db) =>
  db.selectFrom('room').select(['id', 'name']).where('isList', '=', 1).where('isActive', '=', 1).orderBy('id'),
)

/** A user's listed rooms, the latest first. */
export const createdRoomsOf = query<{ ownerId: UserId; limit: number }>()((db, p) =>
  db
    .selectFrom('room')
    .select(['id', 'name'])
    .where('ownerId', '=', p('ownerId'))
    .where('isList', '=', 1)
    .where('isActive', '=', 1)
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/** Changes whenever `listedRooms` may return something else. */
export const roomListVersion = query()((db) => db.selectFrom('roomListVersion').select('version'))

export const roomAdmins = query<{ roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('roomAdmin')
    .innerJoin('user', 'user.id', 'roomAdmin.userId')
    .select(['user.id', 'user.username', 'user.avatarUrl', 'user.gender', 'user.role'])
    .where('roomAdmin.roomId', '=', p('roomId'))
    .orderBy('user.foldedName'),
)

export const roomAdminByUser = query<{ roomId: RoomId; userId: UserId }>()((db, p) =>
  db.selectFrom('roomAdmin').select('userId').where('roomId', '=', p('roomId')).where('userId', '=', p('userId')),
)

/** Whether the user owns the room or is one of its admins. */
export function isRoomStaff(
  reader: Pick<Reader, 'get'>,
  userId: UserId,
  { id, ownerId }: { id: RoomId; ownerId: UserId | null },
): boolean {
  return ownerId === userId || reader.get(roomAdminByUser, { roomId: id, userId }) !== undefined
}

/** The room of this id as clients get it, or undefined. `activeUsers` comes from presence. */
export function getRoom(reader: Reader, id: RoomId, activeUsers: number): Room | undefined {
  const row = reader.get(roomById, { id })
  return row && toRoom(row, activeUsers)
}

/** A room as clients get it: never with its password. */
export function toRoom(row: RoomRow, activeUsers: number): Room {
  const { foldedName: _foldedName, skeleton: _skeleton, passwordHash, ...shown } = row
  return {
    ...shown,
    isList: shown.isList === 1,
    isActive: shown.isActive === 1,
    hasPassword: passwordHash !== null,
    activeUsers,
  }
}
