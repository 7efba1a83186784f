import { type Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { defineCommand } from '../../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../../kernel/database/transaction.ts'
import { updateRow } from '../../../model/schema/query.ts'

const updateLastSeen = updateRow('session', ['id'], ['lastSeenAt'])

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
    const changes = actor ? tx.run(updateLastSeen, { id: actor.sessionId, lastSeenAt: tx.now }).changes : 0
    return changes ? { touched: true } : refuse('SessionEnded')
  },
})
