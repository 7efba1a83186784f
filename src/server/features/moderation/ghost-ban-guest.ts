import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { Ban, BanDuration } from '../../../shared/moderation/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { applyGhostBan } from '../../model/moderation/transactions.ts'
import { findBanTarget } from './ban-user.ts'

export interface GhostBanGuest {
  username: string
  /** The id of the guest if the caller knows it; refused when it does not have this name. */
  userId?: UserId | undefined
  duration: BanDuration
}

/** Ghost-bans a guest (transactions.ts). Only root admins; refuses with Forbidden or NotFound. */
export const ghostBanGuest = defineCommand({
  name: 'ghostBanGuest',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: GhostBanGuest): { success: true; ban: Ban } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const target = findBanTarget(tx, input)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const ban = applyGhostBan(tx, actor, target, input)
    return ban instanceof Refusal ? ban : { success: true, ban }
  },
})
