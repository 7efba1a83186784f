import { NOT_BANNED } from '../../../shared/moderation/rules.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { listActiveBansOfName } from '../../model/moderation/queries.ts'
import { liftBansOf } from '../../model/moderation/transactions.ts'

/** Lifts every active ban of users who have or had this name, because two guests may have used one name. */
export const liftBan = defineCommand({
  name: 'liftBan',
  awaitsReplicaAck: true,
  run(tx: Transaction, actor: Actor | null, { username }: { username: string }): { success: true } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const bans = listActiveBansOfName(tx, username, tx.now)
    if (bans.length === 0) return refuse('NotFound', { message: NOT_BANNED })
    for (const userId of new Set(bans.map((ban) => ban.userId))) liftBansOf(tx, actor, userId)
    return { success: true }
  },
})
