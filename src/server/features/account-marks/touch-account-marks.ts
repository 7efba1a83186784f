import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineWrite } from '../../kernel/database/define-write.ts'
import type { Actor, Transaction } from '../../kernel/database/transact.ts'
import type { Fingerprint } from '../../model/account-marks/queries.ts'
import { recordMarks } from '../../model/account-marks/transactions.ts'
import { sessionById } from '../../model/accounts/queries.ts'

/** Records what browser and address the actor connects from. */
export const touchAccountMarks = defineWrite({
  name: 'touchAccountMarks',
  origin: 'anyRegion',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, fingerprint: Fingerprint): { noted: true } | Refusal {
    const session = actor && tx.get(sessionById, { id: actor.sessionId })
    if (!actor || !session) return refuse('SessionEnded')
    recordMarks(tx, actor.userId, fingerprint, session.createdAt)
    return { noted: true }
  },
})
