import { expect, it } from 'vitest'
import { checkLedger } from '../../src/server/features/wallet/check-ledger.ts'
import { listStatement } from '../../src/server/features/wallet/statement/statement.ts'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { openTestDatabase } from '../../src/server/testing/fixtures/test-database.ts'
import { fillStatement } from './fill-statement.ts'

it('fills statements of a ledger that stays right and guarded', async () => {
  const site = await openTestDatabase()
  const [ada, can] = [site.addMember('ada'), site.addMember('can')]
  fillStatement(site.db, { userId: ada, count: 1_000 })
  fillStatement(site.db, { userId: can, count: 5 })
  giveMoney(site.file, { userId: can, amountKurus: 100 })
  expect(checkLedger(site.read)).toEqual([])
  expect(listStatement(site.read, ada, { before: null, limit: 1 }).rows).toMatchObject([{ amount: 0.01, balance: 10 }])
  expect(listStatement(site.read, can, { before: null, limit: 100 }).rows).toHaveLength(6)
  expect(() => site.db.exec('delete from ledgerEntry')).toThrow('append-only')
  site.close()
})
