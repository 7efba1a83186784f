import type { Ban, BanDuration } from '../../../shared/moderation/protocol.ts'
import { GHOST_BAN_REASON } from '../../../shared/moderation/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { restrictByName } from '../../model/moderation/restrict.ts'
import { toBan } from '../../model/restrictions/queries.ts'

export interface GhostBanGuest {
  username: string
  /** The id of the guest if the caller knows it; refused when it does not have this name. */
  userId?: UserId | undefined
  duration: BanDuration
}

/**
 * Ghost-bans a guest: from now on everybody but root admins takes the guest for one who has left, and the guest notices
 * nothing. Only root admins; refuses with Forbidden or NotFound.
 */
export const ghostBanGuest = defineCommand({
  name: 'ghostBanGuest',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: GhostBanGuest): { success: true; ban: Ban } | Refusal {
    const terms = { roomId: null, duration: input.duration, reason: GHOST_BAN_REASON }
    const ban = restrictByName(tx, actor, input, { kind: 'ghostBan', ...terms })
    return ban instanceof Refusal ? ban : { success: true, ban: toBan(ban) }
  },
})
