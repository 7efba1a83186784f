import type { UserId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Claims, Transaction } from '../../../kernel/database/transaction.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { recordFingerprint } from '../../../model/fingerprints/transactions.ts'
import { findFingerprintBan, findRestriction } from '../../../model/restrictions/queries.ts'
import { openSession, type SignInContext } from '../../../model/sessions/transactions.ts'

export interface OpenMemberSession extends SignInContext {
  userId: UserId
  /** The hash that the password was verified against; refused if the stored hash has changed since. */
  passwordHash: string
}

/** Opens a session for a member whose password was verified. Refuses with LoginFailed or Banned. */
export const openMemberSession = defineCommand({
  name: 'openMemberSession',
  run(tx: Transaction, _actor: Actor | null, input: OpenMemberSession): Claims | Refusal {
    const user = tx.get(userById, { id: input.userId })
    if (!user || user.passwordHash !== input.passwordHash) return refuse('LoginFailed')
    const ban = findRestriction(tx, { kind: 'siteBan', userId: user.id }, tx.now)
    if (ban) return ban
    const { fingerprint } = input
    if (!fingerprint) return { userId: user.id, sessionId: openSession(tx, user.id, input) }
    const banRefusal = findFingerprintBan(tx, { role: user.role, fingerprint, enteredAt: tx.now }, tx.now)
    if (banRefusal) return banRefusal
    recordFingerprint(tx, user.id, fingerprint, tx.now)
    return { userId: user.id, sessionId: openSession(tx, user.id, input) }
  },
})
