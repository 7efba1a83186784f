import type { RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { query } from '../../model/schema/query.ts'

const insertGrant = query<{ roomId: RoomId; sessionId: SessionId; userId: UserId }>()((db, p) =>
  db
    .insertInto('roomGrant')
    .values({ roomId: p('roomId'), sessionId: p('sessionId'), userId: p('userId') })
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Opens a room to a session that gave its password. `verifiedHash` is the hash that the password matched; refused with
 * RoomPasswordWrong when the password has changed since.
 */
export const grantRoom = defineCommand({
  name: 'grantRoom',
  keepResult: 'never',
  run(
    tx: Transaction,
    actor: Actor | null,
    { roomId, verifiedHash }: { roomId: RoomId; verifiedHash: string },
  ): { success: true } | Refusal {
    if (!actor) return refuse('SessionEnded')
    if (tx.get(roomById, { id: roomId })?.passwordHash !== verifiedHash) return refuse('RoomPasswordWrong')
    tx.run(insertGrant, { roomId, sessionId: actor.sessionId, userId: actor.userId })
    return { success: true }
  },
})
