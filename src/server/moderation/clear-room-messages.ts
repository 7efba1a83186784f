import type { RoomId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { recordAction } from '../audit/transactions.ts'
import { defineWrite } from '../database/define-write.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { findManagedRoom } from '../rooms/access.ts'
import { removeRoomMessages } from './remove-messages.ts'

/** Removes all current messages of a room. Only those who run it; refuses with Forbidden or RoomNotFound. */
export const clearRoomMessages = defineWrite({
  name: 'clearRoomMessages',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: true,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, { roomId }: { roomId: RoomId }): { success: true } | Refusal {
    if (!actor) return refuse('Forbidden')
    const room = findManagedRoom(tx, actor, roomId)
    if (room instanceof Refusal) return room
    removeRoomMessages(tx, roomId)
    recordAction(tx, { kind: 'roomCleared', actorId: actor.userId, roomId })
    return { success: true }
  },
})
