import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { removeRoomMessages } from '../../model/moderation/remove-messages.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'

/** Removes all current messages of a room. For its staff; refuses with Forbidden or RoomNotFound. */
export const clearRoomMessages = defineCommand({
  name: 'clearRoomMessages',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, { roomId }: { roomId: RoomId }): { success: true } | Refusal {
    if (!actor) return refuse('Forbidden')
    const room = findManagedRoom(tx, actor, roomId)
    if (room instanceof Refusal) return room
    removeRoomMessages(tx, roomId)
    recordAction(tx, { kind: 'roomCleared', actorId: actor.userId, roomId })
    return { success: true }
  },
})
