import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { siteStream, userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import type { TermRoom } from './order-queries.ts'
import { roomAdmins } from './queries.ts'

/** Emits that a room is active: to everyone if it is listed, else to its owner; and to its staff that their rooms changed. */
export function emitRoomCreated(tx: Transaction, { id, name, isList, ownerId }: TermRoom): void {
  const stream = isList === 1 ? siteStream : ownerId !== null && userStream(ownerId)
  // A room that has just become active is empty.
  if (stream)
    tx.emit({ stream, name: 'roomCreated', payload: { room: { id, name, activeUsers: 0 }, isList: isList === 1 } })
  emitToStaff(tx, { id, ownerId })
}

/** Emits that a room was deactivated: to everyone if it is listed, else to those who are in it; and to its staff. */
export function emitRoomDeactivated(tx: Transaction, { id, isList, ownerId }: TermRoom): void {
  const stream = isList === 1 ? siteStream : roomStream(id)
  tx.emit({ stream, name: 'roomDeactivated', payload: { roomId: id, isList: isList === 1 } })
  emitToStaff(tx, { id, ownerId })
}

/** Emits to a user that the lists of their rooms have changed. */
function emitOwnRoomsChanged(tx: Transaction, userId: UserId, roomId: RoomId): void {
  tx.emit({ stream: userStream(userId), name: 'ownRoomsChanged', payload: { roomId } })
}

/** Emits to the owner and the admins of a room that their rooms have changed. */
export function emitToStaff(tx: Transaction, { id, ownerId }: Pick<TermRoom, 'id' | 'ownerId'>): void {
  const admins = tx.all(roomAdmins, { roomId: id }).map((admin) => admin.id)
  for (const userId of new Set(ownerId === null ? admins : [ownerId, ...admins])) emitOwnRoomsChanged(tx, userId, id)
}
