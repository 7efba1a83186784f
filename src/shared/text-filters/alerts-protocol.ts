import * as v from 'valibot'
import { UserSummary } from '../accounts/protocol.ts'
import { Count, idText, loggedEvent, route, Time } from '../protocol/define.ts'
import { AlertId } from '../protocol/ids.ts'
import { FILTER_CHANGE_LIMIT, ROWS_PER_PAGE } from './limits.ts'
import { ShownPlace } from './protocol.ts'

const alertFields = {
  id: AlertId,
  /** How often its cause has repeated while it was open. */
  count: Count,
  raisedAt: Time,
  latestAt: Time,
  /** null while it is open. */
  handledAt: v.nullable(Time),
  /** The name of the root admin who handled it. */
  handledBy: v.nullable(v.string()),
}

/** What root admins should look at. */
export const Alert = v.variant('kind', [
  /** A text with a word of the filter was delivered. */
  v.object({
    ...alertFields,
    kind: v.literal('word'),
    user: UserSummary,
    place: ShownPlace,
    pattern: v.string(),
    word: v.string(),
    /** null for a direct message. */
    excerpt: v.nullable(v.string()),
  }),
  /** Accounts of one address write the same text, or much more than usual. */
  v.object({
    ...alertFields,
    kind: v.picklist(['sameText', 'manyMessages']),
    /** Some of the accounts. */
    accounts: v.array(UserSummary),
    accountCount: Count,
    messageCount: Count,
    /** One of the texts; null for direct messages. */
    sample: v.nullable(v.string()),
    since: Time,
  }),
])
export type Alert = v.InferOutput<typeof Alert>

export const events = {
  alertsChanged: loggedEvent({
    description: 'An alert was raised, handled or opened again; for root admins, who fetch it.',
    payload: v.object({ alertId: AlertId, openCount: Count }),
  }),
}

export const routes = {
  alerts: route({
    description: `Alerts that are open or handled, the latest first, ${ROWS_PER_PAGE} at a time.`,
    method: 'GET',
    path: '/moderation/alerts',
    access: 'rootadmin',
    input: v.object({ state: v.picklist(['open', 'handled']), before: v.optional(idText(AlertId)) }),
    answer: v.object({
      success: v.literal(true),
      alerts: v.array(Alert),
      next: v.nullable(AlertId),
      openCount: Count,
    }),
  }),
  handleAlert: route({
    description: 'Marks an alert as handled, or opens it again.',
    method: 'POST',
    path: '/moderation/alerts/handle',
    access: 'rootadmin',
    limiter: FILTER_CHANGE_LIMIT,
    retry: 'idempotencyKey',
    input: v.object({ id: AlertId, isHandled: v.boolean() }),
    answer: v.object({ success: v.literal(true), alert: Alert, openCount: Count }),
  }),
}
