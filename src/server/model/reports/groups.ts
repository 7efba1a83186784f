import type { ReportId, UserId } from '../../../shared/protocol/ids.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { query } from '../schema/query.ts'
import { countOpenGroups } from './queries.ts'

interface GroupState extends Record<string, number | null> {
  userId: UserId
  openCount: number
  decidedCount: number
  sourceCount: number
  latestReportId: ReportId
  lastDecidedAt: number | null
}

/** Open reports of one source count once as a reporter, and those of ghost-banned guests not at all. */
const countsOfUser = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('report')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('isOpen'), eb.lit(0)).as('openCount'),
      eb.fn.countAll<number>().filterWhere('isOpen', '=', 0).as('decidedCount'),
      eb.fn
        .count<number>('source')
        .distinct()
        .filterWhere('isOpen', '=', 1)
        .filterWhere('isSunk', '=', 0)
        .as('sourceCount'),
      eb.fn.coalesce(eb.fn.max<ReportId>('id').filterWhere('isOpen', '=', 1), eb.lit(0)).as('latestReportId'),
      eb.fn.max<number | null>('decidedAt').as('lastDecidedAt'),
    ])
    .where('reportedId', '=', p('userId')),
)
const storeGroup = query<GroupState>()((db, p) =>
  db
    .insertInto('reportGroup')
    .values({
      userId: p('userId'),
      openCount: p('openCount'),
      decidedCount: p('decidedCount'),
      sourceCount: p('sourceCount'),
      latestReportId: p('latestReportId'),
      weight: 0,
      lastDecidedAt: p('lastDecidedAt'),
      assigneeId: null,
      assignedAt: null,
    })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        openCount: p('openCount'),
        decidedCount: p('decidedCount'),
        sourceCount: p('sourceCount'),
        latestReportId: p('latestReportId'),
        lastDecidedAt: p('lastDecidedAt'),
      }),
    ),
)
const endAssignment = query<{ userId: UserId }>()((db, p) =>
  db.updateTable('reportGroup').set({ assigneeId: null, assignedAt: null }).where('userId', '=', p('userId')),
)
/** Counts the reports of a reported user again, and tells root admins. The last decision ends who works on them. */
export function refreshGroup(tx: Transaction, userId: UserId): void {
  const counts = tx.get(countsOfUser, { userId })
  if (!counts) throw new Error('an aggregate has a row')
  tx.run(storeGroup, { userId, ...counts })
  const { openCount } = counts
  if (openCount === 0) tx.run(endAssignment, { userId })
  emitReportsChanged(tx, userId, openCount)
}

/** Tells root admins that something about the reports of a user has changed. */
export function emitReportsChanged(tx: Transaction, userId: UserId, openCount: number): void {
  const payload = { userId, openCount, totalOpen: countOpenGroups(tx) }
  tx.emit({ stream: rootAdminStream, name: 'reportsChanged', payload })
}
