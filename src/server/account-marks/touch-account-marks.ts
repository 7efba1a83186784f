import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { sessionById } from '../accounts/queries.ts'
import { defineWrite } from '../database/define-write.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { Fingerprint } from './queries.ts'
import { recordMarks } from './transactions.ts'

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
