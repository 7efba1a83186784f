import { sessionEndMessages } from '../../../shared/accounts/protocol.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Actor, Transaction } from '../../database/transact.ts'
import { getAuthenticatedSession } from '../queries.ts'
import { closeSession } from './sessions.ts'

/** Logs out: the actor's session ends everywhere, its open sockets included. */
export function endSession(tx: Transaction, actor: Actor | null, _input: object): { ended: true } | Refusal {
  const signedIn = actor && getAuthenticatedSession(tx, actor)
  if (!signedIn) return refuse('SessionEnded')
  closeSession(tx, signedIn.session, sessionEndMessages.loggedOut)
  return { ended: true }
}
