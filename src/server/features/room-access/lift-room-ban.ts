import { NOT_BANNED } from '../../../shared/moderation/rules.ts'
import type { RoomBanId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import { listRoomBansOfName } from '../../model/rooms/entry-queries.ts'
import { query } from '../../model/schema/query.ts'

/** A ban and those that repeat it for other accounts. */
const setLifted = query<{ id: RoomBanId; by: UserId; now: number }>()((db, p) =>
  db
    .updateTable('roomBan')
    .set({ liftedAt: p('now'), liftedById: p('by') })
    .where('liftedAt', 'is', null)
    .where((eb) => eb.or([eb('id', '=', p('id')), eb('sourceId', '=', p('id'))])),
)

/** Lifts every active ban from a room of users who have or had this name, also where they came back under others. Refuses with RoomNotFound, Forbidden or NotFound. */
export const liftRoomBan = defineCommand({
  name: 'liftRoomBan',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: { id: RoomId; username: string }): { success: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    const room = findManagedRoom(tx, actor, input.id)
    if (room instanceof Refusal) return room
    const bans = listRoomBansOfName(tx, room.id, input.username, tx.now)
    if (bans.length === 0) return refuse('NotFound', { message: NOT_BANNED })
    for (const { id, sourceId } of bans) tx.run(setLifted, { id: sourceId ?? id, by: actor.userId, now: tx.now })
    for (const targetUserId of new Set(bans.map(({ userId }) => userId)))
      recordAction(tx, { kind: 'roomBanLifted', actorId: actor.userId, targetUserId, roomId: room.id })
    return { success: true }
  },
})
