import { USER_NOT_FOUND_TEXT } from '../../../shared/accounts/protocol.ts'
import type { WarningId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName } from '../../model/accounts/queries.ts'
import { warnUser as warnInTransaction } from '../../model/moderation/transactions.ts'

export interface WarnUser {
  username: string
  text: string
}

/** Warns the holder of a name. Only root admins; refuses with Forbidden, NotFound or TooManyWarnings. */
export const warnUser = defineCommand({
  name: 'warnUser',
  run(
    tx: Transaction,
    actor: Actor | null,
    { username, text }: WarnUser,
  ): { success: true; warningId: WarningId } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const target = findUserByName(tx, username)
    if (!target) return refuse('NotFound', { message: USER_NOT_FOUND_TEXT })
    const warningId = warnInTransaction(tx, actor, target, { text })
    return warningId instanceof Refusal ? warningId : { success: true, warningId }
  },
})
