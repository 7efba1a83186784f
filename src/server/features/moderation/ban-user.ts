import type { Ban, BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { restrictByName } from '../../model/moderation/restrict.ts'
import { toBan } from '../../model/restrictions/queries.ts'

export interface BanUser {
  username: string
  /** The id of the target if the caller knows it; refused when it does not have this name. */
  userId?: UserId | undefined
  duration: BanDuration
  banReason: BanReason
}

/** Bans a user from the whole site. Only root admins; refuses with Forbidden or NotFound. */
export const banUser = defineCommand({
  name: 'banUser',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: BanUser): { success: true; ban: Ban } | Refusal {
    const { duration, banReason: reason } = input
    const ban = restrictByName(tx, actor, input, { kind: 'siteBan', roomId: null, duration, reason })
    return ban instanceof Refusal ? ban : { success: true, ban: toBan(ban) }
  },
})
