import type { AlertId, UserId } from '../../../shared/protocol/ids.ts'
import { ALERT_REPEAT_MS } from '../../../shared/text-filters/limits.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { insertRow, query, updateRow } from '../../model/schema/query.ts'
import type { PlaceKind } from '../../model/schema/text-filters.ts'
import { countOpenAlerts, type FloodAlertDetails, openAlertByCause, type WordAlertDetails } from './alert-queries.ts'

interface RaisedAlert {
  /** Alerts with the same cause within an hour are one. */
  cause: string
  userId: UserId | null
  placeKind: PlaceKind | null
  placeId: number | null
  clientId: string | null
}

export type NewAlert = RaisedAlert &
  ({ kind: 'word'; details: WordAlertDetails } | { kind: 'sameText' | 'manyMessages'; details: FloodAlertDetails })

const insertAlert = insertRow(
  'alert',
  ['id', 'kind', 'cause', 'userId', 'placeKind', 'placeId', 'clientId', 'details', 'raisedAt', 'latestAt'],
  { count: 1, handledAt: null, handledById: null },
)
const repeatAlert = query<{ id: AlertId; clientId: string | null; details: string; now: number }>()((db, p) =>
  db
    .updateTable('alert')
    .set((eb) => ({
      count: eb('count', '+', 1),
      latestAt: p('now'),
      details: p('details'),
      clientId: p('clientId'),
    }))
    .where('id', '=', p('id')),
)
const endCause = updateRow('alert', ['id'], ['cause'])
const lastAlert = query()((db) => db.selectFrom('alert').select((eb) => eb.fn.max<number | null>('id').as('id')))

/** Raises an alert. One with the same cause that is open and not older than an hour is counted up instead. */
export function raiseAlert(tx: Transaction, alert: NewAlert): void {
  const { kind, cause, userId, placeKind, placeId, clientId } = alert
  const details = JSON.stringify(alert.details)
  const open = tx.get(openAlertByCause, { cause })
  if (open && tx.now - open.latestAt < ALERT_REPEAT_MS) {
    tx.run(repeatAlert, { id: open.id, clientId, details, now: tx.now })
    return
  }
  if (open) tx.run(endCause, { id: open.id, cause: `${cause} #${open.id}` })
  const id = Math.max(tx.now, (tx.get(lastAlert)?.id ?? 0) + 1)
  const raised = { id, kind, cause, userId, placeKind, placeId, clientId, details, raisedAt: tx.now, latestAt: tx.now }
  tx.run(insertAlert, raised)
  emitAlertsChanged(tx, id)
}

/** Tells root admins that an alert has changed, and how many are open. */
export function emitAlertsChanged(tx: Transaction, alertId: AlertId): void {
  tx.emit({ stream: rootAdminStream, name: 'alertsChanged', payload: { alertId, openCount: countOpenAlerts(tx) } })
}
