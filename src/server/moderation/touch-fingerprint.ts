import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { sessionById } from '../accounts/queries.ts'
import { defineWrite } from '../database/define-write.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { GuestFingerprint } from './queries.ts'
import { saveFingerprint } from './transactions.ts'

/** As `saveFingerprint`, for a guest who reconnects. */
export const touchFingerprint = defineWrite({
  name: 'touchFingerprint',
  origin: 'anyRegion',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, fingerprint: GuestFingerprint): { noted: true } | Refusal {
    const session = actor && tx.get(sessionById, { id: actor.sessionId })
    if (!actor || !session) return refuse('SessionEnded')
    if (actor.role === 'guest') saveFingerprint(tx, actor.userId, fingerprint, session.createdAt)
    return { noted: true }
  },
})
