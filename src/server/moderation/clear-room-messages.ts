import type { RoomId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { defineWrite } from '../database/define-write.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { roomById } from '../rooms/queries.ts'
import { removeRoomMessages } from './remove-messages.ts'

/** Removes all current messages of a room. Only root admins; refuses with Forbidden or RoomNotFound. */
export const clearRoomMessages = defineWrite({
  name: 'clearRoomMessages',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: true,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, { roomId }: { roomId: RoomId }): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    if (!tx.get(roomById, { id: roomId })) return refuse('RoomNotFound')
    removeRoomMessages(tx, roomId)
    return { success: true }
  },
})
