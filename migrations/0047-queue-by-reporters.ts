import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * The queue of reports is ordered by the number of reporters and the latest report. `weight` of reports and groups, and the
 * table `reporter`, stay for regions with older code; a later release drops them.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // The sources of the open reports: guests of one address or browser are one, ghost-banned ones are none.
    sql`alter table reportGroup add column sourceCount integer not null default 0`.compile(db),
    sql`alter table reportGroup add column latestReportId integer not null default 0`.compile(db),
    sql`update reportGroup set
        sourceCount = (select count(distinct source) from report
          where reportedId = reportGroup.userId and isOpen = 1 and isSunk = 0),
        latestReportId = coalesce((select max(id) from report where reportedId = reportGroup.userId and isOpen = 1), 0)`.compile(
      db,
    ),
    sql`create index reportGroupBySources on reportGroup (sourceCount, latestReportId) where openCount > 0`.compile(db),
  ],
}
