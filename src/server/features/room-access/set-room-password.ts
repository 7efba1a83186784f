import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { query } from '../../model/schema/query.ts'

export interface SetRoomPassword {
  roomId: RoomId
  /** Computed by the caller, because hashing would block the writer; null removes the password. */
  passwordHash: string | null
}

const updatePassword = query<{ id: RoomId; passwordHash: string | null; now: number }>()((db, p) =>
  db
    .updateTable('room')
    .set({ passwordHash: p('passwordHash'), updatedAt: p('now') })
    .where('id', '=', p('id')),
)
const deleteGrants = query<{ roomId: RoomId }>()((db, p) =>
  db.deleteFrom('roomGrant').where('roomId', '=', p('roomId')),
)

/**
 * Sets or removes the password of a room. Every session must give the new one; those that are in the room stay in it.
 * Refuses with RoomNotFound or Forbidden.
 */
export const setRoomPassword = defineCommand({
  name: 'setRoomPassword',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, { roomId, passwordHash }: SetRoomPassword): { success: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    const room = findManagedRoom(tx, actor, roomId)
    if (room instanceof Refusal) return room
    if (passwordHash === null && room.passwordHash === null) return { success: true }
    tx.run(updatePassword, { id: roomId, passwordHash, now: tx.now })
    tx.run(deleteGrants, { roomId })
    const payload = { roomId, hasPassword: passwordHash !== null }
    tx.emit({ stream: roomStream(roomId), name: 'roomPasswordUpdated', payload, actorId: actor.userId })
    const kind = passwordHash === null ? 'roomPasswordRemoved' : 'roomPasswordSet'
    recordAction(tx, { kind, actorId: actor.userId, roomId })
    return { success: true }
  },
})
