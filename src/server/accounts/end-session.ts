import { farewells } from '../../shared/accounts/protocol.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { getSignedIn } from './queries.ts'
import { closeSession, closeSessionsOf } from './sessions.ts'

/** Logs out: the actor's session ends everywhere, its open sockets included. */
export function endSession(tx: Transaction, actor: Actor | null, _input: object): { ended: true } | Refusal {
  const signedIn = actor && getSignedIn(tx, actor)
  if (!signedIn) return refuse('SessionEnded')
  closeSession(tx, signedIn.session, farewells.loggedOut)
  return { ended: true }
}

/** Ends all sessions of a person, for whoever has shut them out: their sockets hear this and close, in every region. */
export function endSessionsOf(tx: Transaction, userId: number, message: string): void {
  closeSessionsOf(tx, userId, message)
}
