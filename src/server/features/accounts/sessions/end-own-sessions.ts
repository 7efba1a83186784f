import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import type { SessionId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { getAuthenticatedSession, sessionById } from '../../../model/accounts/queries.ts'
import { closeOtherSessions, closeSession } from '../../../model/sessions/transactions.ts'

/** Ends one of the actor's sessions. Another user's session answers NotFound, as an unknown id does. */
export const endOwnSession = defineCommand({
  name: 'endOwnSession',
  run(tx: Transaction, actor: Actor | null, { sessionId }: { sessionId: SessionId }): { success: true } | Refusal {
    const signedIn = actor && getAuthenticatedSession(tx, actor)
    if (!signedIn) return refuse('SessionEnded')
    const session = tx.get(sessionById, { id: sessionId })
    if (session?.userId !== signedIn.user.id) return refuse('NotFound', { message: 'Oturum bulunamadı.' })
    closeSession(tx, session, sessionEndMessages.endedElsewhere)
    return { success: true }
  },
})

/** Ends all of the actor's sessions except the current one; returns how many ended. */
export const endOtherSessions = defineCommand({
  name: 'endOtherSessions',
  run(tx: Transaction, actor: Actor | null): { success: true; ended: number } | Refusal {
    const signedIn = actor && getAuthenticatedSession(tx, actor)
    if (!signedIn) return refuse('SessionEnded')
    const { user, session } = signedIn
    return { success: true, ended: closeOtherSessions(tx, user.id, session.id, sessionEndMessages.endedElsewhere) }
  },
})
