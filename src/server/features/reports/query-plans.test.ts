import { expect, it } from 'vitest'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { isReportFileInUse } from '../../model/reports/file-queries.ts'
import { refreshGroup } from '../../model/reports/groups.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import { closeOldReports } from './close-old-reports.ts'
import { deleteOldContents } from './delete-old-contents.ts'
import { findGroup, listReportGroups } from './list-groups.ts'
import { listReports } from './list-reports.ts'

it('[REPORT-22] read ranges of indexes, and no whole table', async () => {
  const site = await openTestDatabase()
  const userId = site.addMember('ada')
  site.db
    .prepare('insert into reportGroup (userId, openCount, decidedCount, weight, lastDecidedAt) values (?, 1, 1, 0, 1)')
    .run(userId)
  const statements: string[] = []
  const prepare = site.writerDb.prepare.bind(site.writerDb)
  site.writerDb.prepare = ((sql: string) => {
    statements.push(sql)
    return prepare(sql)
  }) as typeof prepare // the same signature
  const tx = new WriterTransaction(site.writerDb, [])
  tx.begin(site.clock.now)
  for (const state of ['open', 'decided'] as const)
    for (const kind of [null, 'call'] as const)
      for (const reason of [null, 'spam'] as const) listReportGroups(tx, { state, kind, reason, before: null, now: 1 })
  for (const state of ['open', 'decided', 'all'] as const) listReports(tx, userId, { state })
  findGroup(tx, userId, 1)
  refreshGroup(tx, userId)
  deleteOldContents.run(tx, null, {})
  closeOldReports.run(tx, null, {})
  isReportFileInUse(tx, 'a'.repeat(64))
  tx.rollback()
  const plans = statements
    .filter((sql) => sql.startsWith('select') && /"report/.test(sql))
    .map((sql) => ({
      sql,
      plan: prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill(1)) as {
        detail: string
      }[],
    }))
  expect(plans.length).toBeGreaterThan(9)
  for (const { sql, plan } of plans) {
    const details = plan.map(({ detail }) => detail)
    // The queue of open reports is counted from its own partial index.
    const wholeTables = details.filter((detail) => detail.startsWith('SCAN') && !detail.includes('INDEX reportGroup'))
    expect(wholeTables, sql).toEqual([])
    if (/order by/.test(sql) && !/group by|distinct/.test(sql))
      expect(details.join(), sql).not.toContain('TEMP B-TREE FOR ORDER')
  }
  site.close()
})
