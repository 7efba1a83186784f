import { GRACE_MS } from '../../../shared/room-orders/term-rules.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { inactiveRoomsExpiringFrom, roomsExpiredBefore } from '../../model/rooms/order-queries.ts'
import { emitRoomCreated, emitRoomDeactivated } from '../../model/rooms/order-transactions.ts'
import { updateRow } from '../../model/schema/query.ts'

/** Rooms of one write, so that other commands do not wait long. */
const BATCH = 50

const setActive = updateRow('room', ['id'], ['isActive', 'updatedAt'])

/** Whether `expireRooms` has something to do at `now`, so that nothing is written while it has not. */
export function hasRoomToExpire(reader: Pick<Reader, 'get'>, now: number): boolean {
  const limit = now - GRACE_MS
  return Boolean(
    reader.get(roomsExpiredBefore, { before: limit, limit: 1 }) ??
      reader.get(inactiveRoomsExpiringFrom, { from: limit, limit: 1 }),
  )
}

/**
 * One step: deactivates rooms that expired more than a week ago by the primary's clock, and activates those that a clock
 * ahead of time had deactivated.
 */
export const expireRooms = defineCommand({
  name: 'expireRooms',
  origin: 'primary',
  run(tx: Transaction): { removed: number } {
    const limit = tx.now - GRACE_MS
    const expired = tx.all(roomsExpiredBefore, { before: limit, limit: BATCH })
    for (const room of expired) {
      tx.run(setActive, { id: room.id, isActive: 0, updatedAt: tx.now })
      emitRoomDeactivated(tx, room)
      recordAction(tx, { kind: 'roomExpired', actorId: null, targetUserId: room.ownerId, roomId: room.id })
    }
    const early = tx.all(inactiveRoomsExpiringFrom, { from: limit, limit: BATCH })
    for (const room of early) {
      tx.run(setActive, { id: room.id, isActive: 1, updatedAt: tx.now })
      emitRoomCreated(tx, room)
      recordAction(tx, { kind: 'roomReopened', actorId: null, targetUserId: room.ownerId, roomId: room.id })
    }
    return { removed: expired.length + early.length }
  },
})
