import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { defineWrite } from '../../database/define-write.ts'
import { query } from '../../database/query.ts'
import type { Actor, Transaction } from '../../database/transact.ts'

const updateLastSeen = query<{ id: number; now: number }>()((db, p) =>
  db
    .updateTable('session')
    .set({ lastSeenAt: p('now') })
    .where('id', '=', p('id')),
)

/** A session in use is noted again after this: what keeps it, and what its owner sees of when it was used. */
const TOUCH_INTERVAL_MS = 10 * 60_000

/** Whether a session that is used now was not noted for a while. Those with a line are, every few minutes (touch-users.ts). */
export function needsTouch({ lastSeenAt }: { lastSeenAt: number }, now: number): boolean {
  return now - lastSeenAt > TOUCH_INTERVAL_MS
}

/** Notes that the session is in use, so that it is kept. */
export const touchSession = defineWrite({
  name: 'touchSession',
  origin: 'anyRegion',
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null): { touched: true } | Refusal {
    const changes = actor ? tx.run(updateLastSeen, { id: actor.sessionId, now: tx.now }).changes : 0
    return changes ? { touched: true } : refuse('SessionEnded')
  },
})
