import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName } from '../../model/accounts/queries.ts'
import { recordAction } from '../../model/audit/transactions.ts'

/**
 * Records that a root admin looks up whose accounts belong to a person. Each look-up is an entry of its own, so there is no
 * retry by key. Refuses with Forbidden or NotFound.
 */
export const recordLookUp = defineCommand({
  name: 'recordLookUp',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null, { username }: { username: string }): { userId: UserId } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const user = findUserByName(tx, username)
    if (!user) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    recordAction(tx, { kind: 'linkedAccountsRead', actorId: actor.userId, targetUserId: user.id })
    return { userId: user.id }
  },
})
