import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'

const touch = query<{ id: number; now: number }>()((db, p) =>
  db
    .updateTable('session')
    .set({ lastSeenAt: p('now') })
    .where('id', '=', p('id')),
)

/** Notes that the session is in use, so that it is kept. */
export function touchSession(tx: Transaction, actor: Actor | null, _input: object): { touched: true } | Refusal {
  const changes = actor ? tx.run(touch, { id: actor.sessionId, now: tx.now }).changes : 0
  return changes ? { touched: true } : refuse('SessionEnded')
}
