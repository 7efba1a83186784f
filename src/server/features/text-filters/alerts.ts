import type { AlertId, UserId } from '../../../shared/protocol/ids.ts'
import { ALERT_REPEAT_MS } from '../../../shared/text-filters/limits.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { query } from '../../model/schema/query.ts'
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

const insertAlert = query<
  { [C in keyof RaisedAlert]: RaisedAlert[C] } & { id: AlertId; kind: NewAlert['kind']; details: string; now: number }
>()((db, p) =>
  db.insertInto('alert').values({
    id: p('id'),
    kind: p('kind'),
    cause: p('cause'),
    userId: p('userId'),
    placeKind: p('placeKind'),
    placeId: p('placeId'),
    clientId: p('clientId'),
    details: p('details'),
    count: 1,
    raisedAt: p('now'),
    latestAt: p('now'),
    handledAt: null,
    handledById: null,
  }),
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
const endCause = query<{ id: AlertId; cause: string }>()((db, p) =>
  db
    .updateTable('alert')
    .set({ cause: p('cause') })
    .where('id', '=', p('id')),
)
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
  tx.run(insertAlert, { id, kind, cause, userId, placeKind, placeId, clientId, details, now: tx.now })
  emitAlertsChanged(tx, id)
}

/** Tells root admins that an alert has changed, and how many are open. */
export function emitAlertsChanged(tx: Transaction, alertId: AlertId): void {
  tx.emit({ stream: rootAdminStream, name: 'alertsChanged', payload: { alertId, openCount: countOpenAlerts(tx) } })
}
