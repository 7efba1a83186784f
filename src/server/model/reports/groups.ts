import { sql } from 'kysely'
import type { ReportId, UserId } from '../../../shared/protocol/ids.ts'
import { reportWeight } from '../../../shared/reports/rules.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { userById } from '../accounts/queries.ts'
import { query } from '../schema/query.ts'
import { countOpenGroups, reporterRecord } from './queries.ts'

interface GroupState extends Record<string, number | null> {
  userId: UserId
  openCount: number
  decidedCount: number
  weight: number
  lastDecidedAt: number | null
}

const countsOfUser = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('report')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('isOpen'), eb.lit(0)).as('openCount'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.max<number | null>('decidedAt').as('lastDecidedAt'),
    ])
    .where('reportedId', '=', p('userId')),
)
/** Reports of one source count once: the heaviest of them. */
const weightOfUser = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('report')
        .select((eb) => eb.fn.max('weight').as('weight'))
        .where('reportedId', '=', p('userId'))
        .where('isOpen', '=', 1)
        .groupBy('source')
        .as('bySource'),
    )
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('bySource.weight'), eb.lit(0)).as('weight')),
)
const storeGroup = query<GroupState>()((db, p) =>
  db
    .insertInto('reportGroup')
    .values({
      userId: p('userId'),
      openCount: p('openCount'),
      decidedCount: p('decidedCount'),
      weight: p('weight'),
      lastDecidedAt: p('lastDecidedAt'),
      assigneeId: null,
      assignedAt: null,
    })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        openCount: p('openCount'),
        decidedCount: p('decidedCount'),
        weight: p('weight'),
        lastDecidedAt: p('lastDecidedAt'),
      }),
    ),
)
const endAssignment = query<{ userId: UserId }>()((db, p) =>
  db.updateTable('reportGroup').set({ assigneeId: null, assignedAt: null }).where('userId', '=', p('userId')),
)
const openReportsOf = query<{ reporterId: UserId }>()((db, p) =>
  db
    .selectFrom('report')
    .select(['id', 'reportedId', 'isSunk'])
    .where('reporterId', '=', p('reporterId'))
    .where('isOpen', '=', 1),
)
const setWeight = query<{ id: ReportId; weight: number }>()((db, p) =>
  db
    .updateTable('report')
    .set({ weight: p('weight') })
    .where('id', '=', p('id')),
)
const changeRecord = query<{ userId: UserId; confirmed: number; false: number }>()((db, p) =>
  db
    .insertInto('reporter')
    .values({
      userId: p('userId'),
      confirmedCount: sql`max(0, ${p('confirmed')})`,
      falseCount: sql`max(0, ${p('false')})`,
    })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        confirmedCount: sql`max(0, reporter.confirmedCount + ${p('confirmed')})`,
        falseCount: sql`max(0, reporter.falseCount + ${p('false')})`,
      }),
    ),
)

/** Counts the reports of a reported user again, and tells root admins. The last decision ends who works on them. */
export function refreshGroup(tx: Transaction, userId: UserId): void {
  const openCount = recountGroup(tx, userId)
  if (openCount === 0) tx.run(endAssignment, { userId })
  emitReportsChanged(tx, userId, openCount)
}

/** Tells root admins that something about the reports of a user has changed. */
export function emitReportsChanged(tx: Transaction, userId: UserId, openCount: number): void {
  const payload = { userId, openCount, totalOpen: countOpenGroups(tx) }
  tx.emit({ stream: rootAdminStream, name: 'reportsChanged', payload })
}

/**
 * Counts a decision for or against those whose reports it answers, once for each, and weighs their other open reports
 * again. @param change 1 for a decision, -1 when it is undone
 */
export function countDecision(
  tx: Transaction,
  reporterIds: ReadonlySet<UserId>,
  { isConfirmed, change }: { isConfirmed: boolean; change: 1 | -1 },
): void {
  const affected = new Set<UserId>()
  for (const userId of reporterIds) {
    tx.run(changeRecord, { userId, confirmed: isConfirmed ? change : 0, false: isConfirmed ? 0 : change })
    const weight = weightOfReporter(tx, userId)
    for (const { id, reportedId, isSunk } of tx.all(openReportsOf, { reporterId: userId })) {
      if (isSunk === 1) continue
      tx.run(setWeight, { id, weight })
      affected.add(reportedId)
    }
  }
  for (const userId of affected) recountGroup(tx, userId)
}

/** How much a report of this user counts now. */
export function weightOfReporter(tx: Transaction, userId: UserId): number {
  return reportWeight(reporterRecord(tx, userId), tx.get(userById, { id: userId })?.isGuest === 1)
}

function recountGroup(tx: Transaction, userId: UserId): number {
  const { openCount = 0, count = 0, lastDecidedAt = null } = tx.get(countsOfUser, { userId }) ?? {}
  const weight = tx.get(weightOfUser, { userId })?.weight ?? 0
  tx.run(storeGroup, { userId, openCount, decidedCount: count - openCount, weight, lastDecidedAt })
  return openCount
}
