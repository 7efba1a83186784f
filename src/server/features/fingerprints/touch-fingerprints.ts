import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { sessionById } from '../../model/accounts/queries.ts'
import type { Fingerprint } from '../../model/fingerprints/queries.ts'
import { recordFingerprint } from '../../model/fingerprints/transactions.ts'

/** Records what browser and address the actor connects from. */
export const touchAccountMarks = defineCommand({
  name: 'touchAccountMarks',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null, fingerprint: Fingerprint): { noted: true } | Refusal {
    const session = actor && tx.get(sessionById, { id: actor.sessionId })
    if (!actor || !session) return refuse('SessionEnded')
    recordFingerprint(tx, actor.userId, fingerprint, session.createdAt)
    return { noted: true }
  },
})
