import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { getAuthenticatedSession } from '../../../model/accounts/queries.ts'
import { closeSession } from '../../../model/sessions/transactions.ts'

/** Logs out: ends the actor's session and closes its connections in every region. */
export const endSession = defineCommand({
  name: 'endSession',
  run(tx: Transaction, actor: Actor | null): { ended: true } | Refusal {
    const signedIn = actor && getAuthenticatedSession(tx, actor)
    if (!signedIn) return refuse('SessionEnded')
    closeSession(tx, signedIn.session, sessionEndMessages.loggedOut)
    return { ended: true }
  },
})
