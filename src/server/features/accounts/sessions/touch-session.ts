import type { SessionId } from '../../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { query } from '../../../model/schema/query.ts'

const updateLastSeen = query<{ id: SessionId; now: number }>()((db, p) =>
  db
    .updateTable('session')
    .set({ lastSeenAt: p('now') })
    .where('id', '=', p('id')),
)

/** How old `lastSeenAt` of a session in use may become. Expiry and the session list read it. */
const TOUCH_INTERVAL_MS = 10 * 60_000

/** Whether `lastSeenAt` is due for a write. A connected session gets one every few minutes (touch-users.ts). */
export function needsTouch({ lastSeenAt }: { lastSeenAt: number }, now: number): boolean {
  return now - lastSeenAt > TOUCH_INTERVAL_MS
}

/** Writes `lastSeenAt` of the actor's session, which keeps it from expiring. */
export const touchSession = defineCommand({
  name: 'touchSession',
  keepResult: 'never',
  run(tx: Transaction, actor: Actor | null): { touched: true } | Refusal {
    const changes = actor ? tx.run(updateLastSeen, { id: actor.sessionId, now: tx.now }).changes : 0
    return changes ? { touched: true } : refuse('SessionEnded')
  },
})
