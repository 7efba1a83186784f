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
/** Counts the reports of a reported user again, and tells root admins. */
export function refreshGroup(tx: Transaction, userId: UserId): void {
  const counts = tx.get(countsOfUser, { userId })
  if (!counts) throw new Error('an aggregate has a row')
  tx.run(storeGroup, { userId, ...counts })
  const payload = { userId, openCount: counts.openCount, totalOpen: countOpenGroups(tx) }
  tx.emit({ stream: rootAdminStream, name: 'reportsChanged', payload })
}
