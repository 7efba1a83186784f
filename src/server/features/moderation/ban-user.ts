import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { Ban, BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName, type UserRow, userById } from '../../model/accounts/queries.ts'
import { applySiteBan } from '../../model/moderation/transactions.ts'

export interface BanUser {
  username: string
  /** The id of the target if the caller knows it; refused when it does not have this name. */
  userId?: UserId | undefined
  duration: BanDuration
  banReason: BanReason
}

/** Bans a user from the whole site (transactions.ts). Only root admins; refuses with Forbidden or NotFound. */
export const banUser = defineCommand({
  name: 'banUser',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, input: BanUser): { success: true; ban: Ban } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const target = findBanTarget(tx, input)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const ban = applySiteBan(tx, actor, target, input)
    return ban instanceof Refusal ? ban : { success: true, ban }
  },
})

/** By id, a guest whose name was released is found too; by name alone, only the current holder. */
export function findBanTarget(
  tx: Transaction,
  { username, userId }: Pick<BanUser, 'username' | 'userId'>,
): UserRow | undefined {
  if (userId === undefined) return findUserByName(tx, username)
  const user = tx.get(userById, { id: userId })
  return user?.foldedName === foldName(username) ? user : undefined
}
