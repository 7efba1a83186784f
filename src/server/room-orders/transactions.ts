import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { siteStream, userStream } from '../database/streams.ts'
import type { Transaction } from '../database/transact.ts'
import { roomAdmins } from '../rooms/queries.ts'
import { roomStream } from '../rooms/streams.ts'
import type { TermRoom } from './queries.ts'

/** Tells that a room is there: everyone if it is listed, else its owner alone; and its staff that their rooms changed. */
export function emitRoomCreated(tx: Transaction, { id, name, isList, ownerId }: TermRoom): void {
  const stream = isList === 1 ? siteStream : ownerId !== null && userStream(ownerId)
  // Nobody is in a room that has just become active.
  if (stream)
    tx.emit({ stream, name: 'roomCreated', payload: { room: { id, name, activeUsers: 0 }, isList: isList === 1 } })
  emitToStaff(tx, { id, ownerId })
}

/** Tells that a room was deactivated: everyone if it is listed, else those who are in it; and its staff. */
export function emitRoomDeactivated(tx: Transaction, { id, isList, ownerId }: TermRoom): void {
  const stream = isList === 1 ? siteStream : roomStream(id)
  tx.emit({ stream, name: 'roomDeactivated', payload: { roomId: id, isList: isList === 1 } })
  emitToStaff(tx, { id, ownerId })
}

/** Tells a user that the lists of their rooms have changed. */
export function emitOwnRoomsChanged(tx: Transaction, userId: UserId, roomId: RoomId): void {
  tx.emit({ stream: userStream(userId), name: 'ownRoomsChanged', payload: { roomId } })
}

/** Tells the owner and the admins of a room. */
export function emitToStaff(tx: Transaction, { id, ownerId }: Pick<TermRoom, 'id' | 'ownerId'>): void {
  const admins = tx.all(roomAdmins, { roomId: id }).map((admin) => admin.id)
  for (const userId of new Set(ownerId === null ? admins : [ownerId, ...admins])) emitOwnRoomsChanged(tx, userId, id)
}
