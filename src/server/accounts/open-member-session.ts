import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor, Claims, Transaction } from '../database/transact.ts'
import { bannedRefusal } from '../moderation/access.ts'
import { getBan } from '../moderation/queries.ts'
import { userById } from './queries.ts'
import { type Doorway, openSession } from './sessions.ts'

export interface OpenMemberSession extends Doorway {
  userId: number
  /** The hash that the password was checked against: if it was changed meanwhile, the check no longer counts. */
  passwordHash: string
}

/** Signs a member in whose password was right. */
export function openMemberSession(tx: Transaction, _actor: Actor | null, input: OpenMemberSession): Claims | Refusal {
  const user = tx.get(userById, { id: input.userId })
  if (!user || user.passwordHash !== input.passwordHash) return refuse('LoginFailed')
  const ban = getBan(tx, user.id, tx.now)
  if (ban) return bannedRefusal(ban)
  return { userId: user.id, sessionId: openSession(tx, user.id, input) }
}
