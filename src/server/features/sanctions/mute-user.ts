import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { BanDuration } from '../../../shared/moderation/protocol.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Mute } from '../../../shared/sanctions/protocol.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName } from '../../model/accounts/queries.ts'
import { findMuterRefusal } from '../../model/sanctions/access.ts'
import { getMute } from '../../model/sanctions/queries.ts'
import { muteUser as muteInTransaction } from '../../model/sanctions/transactions.ts'

export interface MuteUser {
  username: string
  /** null: the whole site. */
  roomId: RoomId | null
  duration: BanDuration
  reason: string
}

/** Mutes the holder of a name on the site or in a room. Refuses with Forbidden, RoomNotFound or NotFound. */
export const muteUser = defineCommand({
  name: 'muteUser',
  awaitsReplicaAck: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { username, roomId, duration, reason }: MuteUser,
  ): { success: true; mute: Mute } | Refusal {
    const refusal = findMuterRefusal(tx, actor, roomId)
    if (refusal || !actor) return refusal ?? refuse('SessionEnded')
    const target = findUserByName(tx, username)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const id = muteInTransaction(tx, actor, target, { roomId, duration, reason })
    if (id instanceof Refusal) return id
    const mute = getMute(tx, id)
    return mute ? { success: true, mute } : refuse('NotFound')
  },
})
