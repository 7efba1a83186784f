import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { PrivacyChanges } from '../../../../shared/settings/rules.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { setPrivacy } from '../../../model/settings/transactions.ts'

/** As `setPrivacy`, for the actor. Refuses with NotSignedIn. */
export const setOwnPrivacy = defineCommand({
  name: 'setOwnPrivacy',
  run(tx: Transaction, actor: Actor | null, changes: PrivacyChanges): { success: true } | Refusal {
    if (!actor) return refuse('NotSignedIn')
    setPrivacy(tx, actor.userId, changes)
    return { success: true }
  },
})
