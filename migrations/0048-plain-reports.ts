import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * The queue of reports is ordered by the number of reporters and the latest report, nobody takes reports on, and no decision is
 * undone. What was kept for that (`report.weight`; `weight`, `assigneeId` and `assignedAt` of `reportGroup`; `reporter`;
 * `reportDecision.effects`; `post.removedAt`) stays for regions with older code; a later release drops it.
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
    // Without the undoing of decisions no post is shown again. Posts that an older primary removes later wait for that release.
    sql`update post set isPurging = 1, removedAt = null where removedAt is not null`.compile(db),
    sql`create index reportGroupBySources on reportGroup (sourceCount, latestReportId) where openCount > 0`.compile(db),
  ],
}
