import type { AlertId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Alert } from '../../../shared/text-filters/alerts-protocol.ts'
import { ALERT_GONE_TEXT } from '../../../shared/text-filters/texts.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { recordAction } from '../../model/audit/transactions.ts'
import { updateRow } from '../../model/schema/query.ts'
import { alertById, countOpenAlerts, openAlertByCause, toAlert } from './alert-queries.ts'
import { emitAlertsChanged } from './alerts.ts'

const setHandled = updateRow('alert', ['id'], ['handledAt', 'handledById', 'cause'])

interface HandleAlert {
  id: AlertId
  isHandled: boolean
}

/** Marks an alert as handled, or opens it again. Only root admins; refuses with Forbidden or NotFound. */
export const handleAlert = defineCommand({
  name: 'handleAlert',
  keepsCachedRows: true,
  run(
    tx: Transaction,
    actor: Actor | null,
    { id, isHandled }: HandleAlert,
  ): { success: true; alert: Alert; openCount: number } | Refusal {
    if (actor?.role !== 'rootadmin') return refuse('Forbidden')
    const alert = tx.get(alertById, { id })
    if (!alert) return refuse('NotFound', { message: ALERT_GONE_TEXT })
    if ((alert.handledAt !== null) !== isHandled) {
      // Another alert of the same cause may have been raised since.
      const isCauseTaken = !isHandled && tx.get(openAlertByCause, { cause: alert.cause }) !== undefined
      const cause = isCauseTaken ? `${alert.cause} #${id}` : alert.cause
      tx.run(setHandled, {
        id,
        cause,
        handledAt: isHandled ? tx.now : null,
        handledById: isHandled ? actor.userId : null,
      })
      const kind = isHandled ? 'alertHandled' : 'alertReopened'
      recordAction(tx, { kind, actorId: actor.userId, targetUserId: alert.userId, subject: { type: 'alert', id } })
      emitAlertsChanged(tx, id)
    }
    const row = tx.get(alertById, { id }) ?? alert
    return { success: true, alert: toAlert(tx, row, tx.now), openCount: countOpenAlerts(tx) }
  },
})
