import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { findOwnedRoom } from '../../model/rooms/access.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { deleteAdmin } from './room-admins.ts'

/** Ends the rights of an admin of a room, who may do so too. Refuses with RoomNotFound or Forbidden. */
export const removeRoomAdmin = defineCommand({
  name: 'removeRoomAdmin',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor,
    { roomId, userId }: { roomId: RoomId; userId: UserId },
  ): { success: true } | Refusal {
    const isOwn = actor.userId === userId
    const room = isOwn ? (tx.get(roomById, { id: roomId }) ?? refuse('RoomNotFound')) : findOwnedRoom(tx, actor, roomId)
    if (room instanceof Refusal) return room
    if (deleteAdmin(tx, room, userId))
      recordAction(tx, { kind: 'roomAdminRemoved', actorId: actor.userId, targetUserId: userId, roomId })
    return { success: true }
  },
})
