import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MUTED_BY_ROOT_ADMIN, NOT_MUTED } from '../../../shared/sanctions/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findMuterRefusal } from '../../model/sanctions/access.ts'
import { isMutedByRootAdmin, listMutedOfName } from '../../model/sanctions/queries.ts'
import { liftMutesOf } from '../../model/sanctions/transactions.ts'

export interface LiftMute {
  username: string
  /** null: the whole site. */
  roomId: RoomId | null
}

/** Lifts the mutes of one place of every user who has or had this name. Refuses with Forbidden, RoomNotFound or NotFound. */
export const liftMute = defineCommand({
  name: 'liftMute',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, { username, roomId }: LiftMute): { success: true } | Refusal {
    const refusal = findMuterRefusal(tx, actor, roomId)
    if (refusal || !actor) return refusal ?? refuse('SessionEnded')
    const userIds = listMutedOfName(tx, username, roomId, tx.now)
    if (userIds.length === 0) return refuse('NotFound', { message: NOT_MUTED })
    const isOfRootAdmin = (id: UserId) => roomId !== null && isMutedByRootAdmin(tx, id, roomId, tx.now)
    if (actor.role !== 'rootadmin' && userIds.some(isOfRootAdmin))
      return refuse('Forbidden', { message: MUTED_BY_ROOT_ADMIN })
    for (const userId of userIds) liftMutesOf(tx, actor, userId, roomId)
    return { success: true }
  },
})
