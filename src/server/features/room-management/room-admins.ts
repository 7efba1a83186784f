import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { RoomAdmin } from '../../../shared/rooms/protocol.ts'
import { joinStreams, userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import type { UserRow } from '../../model/accounts/queries.ts'
import type { RoomRow } from '../../model/rooms/queries.ts'
import { insertRow, query } from '../../model/schema/query.ts'

type AdminOfRoom = { roomId: RoomId; userId: UserId }

const insertRoomAdmin = insertRow('roomAdmin', ['roomId', 'userId'])
const deleteRoomAdmin = query<AdminOfRoom>()((db, p) =>
  db.deleteFrom('roomAdmin').where('roomId', '=', p('roomId')).where('userId', '=', p('userId')),
)
const administeredRooms = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('roomAdmin')
    .innerJoin('room', 'room.id', 'roomAdmin.roomId')
    .select(['room.id', 'room.name'])
    .where('roomAdmin.userId', '=', p('userId')),
)

export function toRoomAdmin({ id, username, avatarUrl, gender, role }: UserRow): RoomAdmin {
  return { id, username, avatarUrl, gender, role }
}

/** Adds the row and the event for the room and the new admin. */
export function insertAdmin(tx: Transaction, room: RoomRow, user: UserRow): void {
  tx.run(insertRoomAdmin, { roomId: room.id, userId: user.id })
  const payload = { roomId: room.id, roomName: room.name, admin: toRoomAdmin(user) }
  tx.emit({ stream: joinStreams(roomStream(room.id), userStream(user.id)), name: 'roomAdminAdded', payload })
}

/** Deletes the row, and emits the event for the room and the former admin. Returns whether there was one. */
export function deleteAdmin(tx: Transaction, room: Pick<RoomRow, 'id' | 'name'>, userId: UserId): boolean {
  if (tx.run(deleteRoomAdmin, { roomId: room.id, userId }).changes === 0) return false
  const payload = { roomId: room.id, roomName: room.name, userId }
  tx.emit({ stream: joinStreams(roomStream(room.id), userStream(userId)), name: 'roomAdminRemoved', payload })
  return true
}

/** Ends the rights of a user who is removed for good. */
export function deleteAdminEverywhere(tx: Transaction, userId: UserId): void {
  for (const room of tx.all(administeredRooms, { userId })) deleteAdmin(tx, room, userId)
}
