import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { extendExpiry, isRenewable } from '../../../shared/room-orders/term-rules.ts'
import { NO_EXPIRY_TEXT } from '../../../shared/room-orders/texts.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { emitRoomCreated, emitToStaff } from '../../model/rooms/order-transactions.ts'
import { getRoom, roomById } from '../../model/rooms/queries.ts'
import { updateRow } from '../../model/schema/query.ts'
import { type ChosenOptions, pay, termsOf } from './purchase.ts'

export interface RenewRoom extends ChosenOptions {
  roomId: RoomId
}

const updateTerm = updateRow('room', ['id'], ['capacity', 'expiryDate', 'updatedAt'], { isActive: 1 })

/**
 * Extends a room of the actor and charges the price, which has no surcharge; a deactivated room is active again. Refuses
 * with RoomNotFound, Forbidden, RenewalTooEarly, NotFound, PriceChanged or InsufficientBalance, and nothing is charged.
 */
export const renewRoom = defineCommand({
  name: 'renewRoom',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: RenewRoom): { success: true; room: Room } | Refusal {
    const { roomId } = input
    if (!actor) return refuse('NotSignedIn')
    const row = tx.get(roomById, { id: roomId })
    if (!row) return refuse('RoomNotFound')
    if (row.ownerId !== actor.userId) return refuse('Forbidden')
    if (row.expiryDate === null) return refuse('RenewalTooEarly', { message: NO_EXPIRY_TEXT })
    if (!isRenewable({ isActive: row.isActive === 1, expiryDate: row.expiryDate }, tx.now))
      return refuse('RenewalTooEarly')
    const terms = termsOf(tx, input, false)
    if (terms instanceof Refusal) return terms

    const expiryDate = extendExpiry(row.expiryDate, terms.months, tx.now)
    const refusal = pay(tx, terms, { roomId, userId: actor.userId, isRenewal: true, expiryDate })
    if (refusal) return refusal
    tx.run(updateTerm, { id: roomId, capacity: terms.capacity, expiryDate, updatedAt: tx.now })
    if (row.isActive === 1) emitToStaff(tx, row)
    else emitRoomCreated(tx, row)
    const room = getRoom(tx, roomId, 0)
    if (!room) throw new Error(`the renewed room ${roomId} has no row`)
    return { success: true, room }
  },
})
