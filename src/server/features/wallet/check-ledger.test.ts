import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { runAdmin } from '../../admin.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { readConfig } from '../../kernel/config.ts'
import type { AnySlowRead } from '../../kernel/database/slow-read.ts'
import { HOUR_MS } from '../../kernel/operations/jobs.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { checkLedger, checkLedgerStep } from './check-ledger.ts'
import { nightlyLedgerCheck } from './feature.ts'

let site: TestDatabase
let ada: number

beforeEach(async () => {
  site = await openTestDatabase()
  ada = site.addMember('ada')
  giveMoney(site.file, { userId: ada, amountKurus: 500 })
  giveMoney(site.file, { userId: ada, amountKurus: 300, kind: 'earned' })
})
afterEach(() => site.close())

/** Changes rows as somebody with the file could: the guards of the ledger are removed first. */
function tamper(statement: string): void {
  const triggers = site.db.prepare("select name from sqlite_schema where type = 'trigger'").pluck().all()
  for (const name of triggers) site.db.exec(`drop trigger ${name}`)
  site.db.pragma('foreign_keys = off')
  site.db.pragma('ignore_check_constraints = on')
  site.db.exec(statement)
}

const accountOf = (kind: string) => `(select id from ledgerAccount where kind = '${kind}')`
const admin = () => runAdmin(['check-ledger'], readConfig({ MEYDAN_DB: site.file }))

describe('check-ledger', () => {
  it('[LEDGER-11] finds nothing in a ledger that is right, empty or not', async () => {
    expect(checkLedger(site.read)).toEqual([])
    expect(await admin()).toContain('The ledger is right')
  })

  it.each([
    ['delete from ledgerTransaction where id = 1', 'transaction 1 is missing'],
    [
      `update ledgerEntry set amountKurus = amountKurus + 1 where accountId = ${accountOf('earned')}`,
      'the entries of transaction 2 sum to 1 kuruş',
      'the entry of transaction 2 in account 7 has the balance 300 instead of 301 kuruş',
    ],
    [
      `delete from ledgerEntry where transactionId = 1 and accountId = ${accountOf('bank')}`,
      'the entries of transaction 1 sum to 500 kuruş',
      'the entry of transaction 2 in account 1 has the balance -800 instead of -300 kuruş',
    ],
    [
      `update ledgerAccount set balanceKurus = 501 where kind = 'loaded'`,
      'account 6 (loaded of user 1) keeps 501 instead of 500 kuruş',
    ],
    [
      `update ledgerAccount set balanceKurus = -1 where kind = 'giftIncome'`,
      'account 4 (giftIncome) keeps -1 instead of 0 kuruş',
      'account 4 (giftIncome) is negative: -1 kuruş',
    ],
    [`delete from ledgerAccount where kind = 'earned'`, 'all accounts sum to -300 kuruş'],
  ])('[LEDGER-11] finds: %s', async (statement, ...faults) => {
    tamper(statement)
    expect(checkLedger(site.read)).toEqual(faults)
    await expect(admin()).rejects.toThrow(faults.join('\n'))
  })

  it('[LEDGER-11] exits with 1 and one line for each fault', async () => {
    tamper("update ledgerAccount set balanceKurus = -1 where kind = 'giftIncome'")
    const env = { ...process.env, MEYDAN_DB: site.file }
    const run = promisify(execFile)(process.execPath, ['src/server/admin.ts', 'check-ledger'], { env })
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'account 4 (giftIncome) keeps -1 instead of 0 kuruş\naccount 4 (giftIncome) is negative: -1 kuruş\n',
    })
  })

  it('[LEDGER-11] stops after 100 faults', () => {
    for (let id = 0; id < 120; id++) giveMoney(site.file, { userId: ada, amountKurus: 1 })
    tamper('delete from ledgerTransaction')
    const faults = checkLedger(site.read)
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toBe('the check stopped here')
  })
})

describe('the nightly check', () => {
  let now: number
  let logged: [level: string, fields: object][]
  let steps: number
  let appContext: Pick<AppContext, 'clock' | 'log' | 'readInWorker'>
  beforeEach(() => {
    now = Date.UTC(2026, 10, 23, 12)
    logged = []
    steps = 0
    const log = (level: string) => (fields: object) => void logged.push([level, fields])
    appContext = {
      clock: () => now,
      log: { error: log('error'), info: log('info') } as unknown as AppContext['log'],
      readInWorker: (async (_: AnySlowRead, check: never) => {
        steps += 1
        return checkLedgerStep(site.read, check)
      }) as unknown as AppContext['readInWorker'],
    }
  })

  it('[LEDGER-12] runs after a start and after 4 o’clock of each night, in steps', async () => {
    const { run, isPrimaryOnly, intervalMs } = nightlyLedgerCheck(appContext)
    expect([isPrimaryOnly, intervalMs]).toEqual([true, HOUR_MS])
    await run()
    expect(logged).toEqual([['info', { transactions: 2 }]])
    expect(steps).toBeGreaterThan(3)
    // 12:00 UTC is 15:00 in Türkiye: 4 o'clock is 13 hours later.
    for (let hour = 1; hour <= 12; hour++) {
      now += HOUR_MS
      await run()
    }
    expect(logged).toHaveLength(1)
    now += HOUR_MS
    await run()
    expect(logged).toHaveLength(2)
  })

  it('[LEDGER-12] logs an error for a ledger with faults', async () => {
    tamper("update ledgerAccount set balanceKurus = 1 where kind = 'roomIncome'")
    await nightlyLedgerCheck(appContext).run()
    expect(logged).toEqual([['error', { faults: ['account 2 (roomIncome) keeps 1 instead of 0 kuruş'] }]])
  })

  it('[LEDGER-12] tries again an hour later when the read worker is busy', async () => {
    const { readInWorker } = appContext
    const { run } = nightlyLedgerCheck({
      ...appContext,
      readInWorker: ((...args) =>
        steps++ === 0 ? Promise.resolve(refuse('Busy')) : readInWorker(...args)) as typeof readInWorker,
    })
    await run()
    expect(logged).toEqual([])
    await run()
    expect(logged).toHaveLength(1)
  })
})
