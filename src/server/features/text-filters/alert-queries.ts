import type { Selectable } from 'kysely'
import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { AlertId, UserId } from '../../../shared/protocol/ids.ts'
import type { Alert } from '../../../shared/text-filters/alerts-protocol.ts'
import { ROWS_PER_PAGE } from '../../../shared/text-filters/limits.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { query, type Tables } from '../../model/schema/query.ts'
import { showPlace } from '../../model/text-filters/show-place.ts'

/** What an alert of a word says. */
export interface WordAlertDetails {
  pattern: string
  word: string
  excerpt: string | null
}

/** What an alert of a flood says. */
export interface FloodAlertDetails {
  userIds: UserId[]
  accountCount: number
  messageCount: number
  sample: string | null
  since: number
}

type AlertRow = Selectable<Tables['alert']>

export const openAlertByCause = query<{ cause: string }>()((db, p) =>
  db.selectFrom('alert').select(['id', 'latestAt']).where('cause', '=', p('cause')).where('handledAt', 'is', null),
)
export const alertById = query<{ id: AlertId }>()((db, p) =>
  db.selectFrom('alert').selectAll().where('id', '=', p('id')),
)
const openAlertTotal = query()((db) =>
  db
    .selectFrom('alert')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('handledAt', 'is', null),
)
const openAlerts = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('alert')
    .selectAll()
    .where('handledAt', 'is', null)
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
const handledAlerts = query<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('alert')
    .selectAll()
    .where('handledAt', 'is not', null)
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

export function countOpenAlerts(reader: Pick<Reader, 'get'>): number {
  return reader.get(openAlertTotal)?.count ?? 0
}

/** A page of the alerts that are open or handled, the latest first. */
export function listAlerts(
  reader: Pick<Reader, 'get' | 'all'>,
  { state, before = Number.MAX_SAFE_INTEGER }: { state: 'open' | 'handled'; before?: AlertId | undefined },
  now: number,
): { alerts: Alert[]; next: AlertId | null; openCount: number } {
  const rows = reader.all(state === 'open' ? openAlerts : handledAlerts, { before, limit: ROWS_PER_PAGE + 1 })
  const alerts = rows.slice(0, ROWS_PER_PAGE).map((row) => toAlert(reader, row, now))
  return {
    alerts,
    next: rows.length > ROWS_PER_PAGE ? (alerts.at(-1)?.id ?? null) : null,
    openCount: countOpenAlerts(reader),
  }
}

/** An alert as root admins see it. */
export function toAlert(reader: Pick<Reader, 'get'>, row: AlertRow, now: number): Alert {
  const { id, count, raisedAt, latestAt, handledAt, handledById } = row
  const handledBy = handledById === null ? null : (reader.get(userById, { id: handledById })?.username ?? null)
  const shared = { id, count, raisedAt, latestAt, handledAt, handledBy }
  if (row.kind === 'word') return { ...shared, kind: 'word', ...wordParts(reader, row, now) }
  const { userIds, ...details } = JSON.parse(row.details) as FloodAlertDetails // `raiseAlert` wrote it
  return { ...shared, kind: row.kind, ...details, accounts: summariesOf(reader, userIds, now) }
}

function wordParts(reader: Pick<Reader, 'get'>, row: AlertRow, now: number) {
  const { userId, placeKind, placeId, clientId } = row
  if (userId === null || placeKind === null) throw new Error(`the alert ${row.id} of a word has no user or place`)
  const [user] = summariesOf(reader, [userId], now)
  if (!user) throw new Error(`user ${userId} of an alert does not exist`)
  const details = JSON.parse(row.details) as WordAlertDetails // `raiseAlert` wrote it
  return { ...details, user, place: showPlace(reader, { placeKind, placeId, userId, clientId }) }
}

function summariesOf(reader: Pick<Reader, 'get'>, userIds: readonly UserId[], now: number): UserSummary[] {
  return userIds.flatMap((id) => {
    const user = reader.get(userById, { id })
    return user ? [toUserSummary(user, now)] : []
  })
}
