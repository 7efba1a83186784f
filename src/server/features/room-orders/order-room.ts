import { MEMBERS_ONLY_TEXT } from '../../../shared/protocol/members-only.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_OWNED_ROOMS } from '../../../shared/room-orders/own-room.ts'
import { MAX_ROOM_NAME_LENGTH } from '../../../shared/room-orders/room-name.ts'
import { extendExpiry } from '../../../shared/room-orders/term-rules.ts'
import { ROOM_NAME_TAKEN } from '../../../shared/room-orders/texts.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../../model/accounts/queries.ts'
import { hasRoomLookAlike } from '../../model/name-skeletons/queries.ts'
import { storeRoomSkeleton } from '../../model/name-skeletons/transactions.ts'
import { ownedRoomCount } from '../../model/rooms/order-queries.ts'
import { emitRoomCreated } from '../../model/rooms/order-transactions.ts'
import { getRoom, roomByFoldedName } from '../../model/rooms/queries.ts'
import { insertRow } from '../../model/schema/query.ts'
import { screenText } from '../../model/text-screening/transactions.ts'
import { refuseShortBalance } from '../../model/wallet/transactions.ts'
import { type ChosenOptions, pay, termsOf } from './purchase.ts'

export interface OrderRoom extends ChosenOptions {
  name: string
  isList: boolean
}

const insertRoom = insertRow(
  'room',
  ['name', 'foldedName', 'capacity', 'isList', 'ownerId', 'createdAt', 'updatedAt', 'expiryDate'],
  { greetingMessage: null, isActive: 1 },
)

/**
 * Orders a room for the actor and charges its price. Refuses with RoomNameTaken, TooManyRooms, NotFound, PriceChanged or
 * InsufficientBalance, and nothing is charged.
 */
export const orderRoom = defineCommand({
  name: 'orderRoom',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: OrderRoom): { success: true; room: Room } | Refusal {
    const user = actor && tx.get(userById, { id: actor.userId })
    if (!user) return refuse('NotSignedIn')
    if (user.isGuest === 1) return refuse('Forbidden', { message: MEMBERS_ONLY_TEXT })
    const { isList } = input
    const place = { kind: 'roomText' } as const
    const name = screenText(tx, { sender: user, place, text: input.name, maxLength: MAX_ROOM_NAME_LENGTH })
    if (name instanceof Refusal) return name
    const foldedName = foldName(name)
    if (tx.get(roomByFoldedName, { foldedName }) || hasRoomLookAlike(tx, name))
      return refuse('RoomNameTaken', { path: 'name', message: ROOM_NAME_TAKEN })
    if (ownedRoomCount(tx, user.id) >= MAX_OWNED_ROOMS) return refuse('TooManyRooms')
    const terms = termsOf(tx, input, isList)
    if (terms instanceof Refusal) return terms
    const short = refuseShortBalance(tx, user.id, terms.priceKurus)
    if (short) return short

    const expiryDate = extendExpiry(null, terms.months, tx.now)
    const row = { name, foldedName, isList: isList ? 1 : 0, ownerId: user.id, expiryDate } as const
    const { lastId: roomId } = tx.run(insertRoom, {
      ...row,
      capacity: terms.capacity,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    storeRoomSkeleton(tx, roomId, name)
    const refusal = pay(tx, terms, { roomId, userId: user.id, isRenewal: false, expiryDate })
    if (refusal) return refusal
    emitRoomCreated(tx, { ...row, id: roomId })
    const room = getRoom(tx, roomId, 0)
    if (!room) throw new Error(`the ordered room ${roomId} has no row`)
    return { success: true, room }
  },
})
