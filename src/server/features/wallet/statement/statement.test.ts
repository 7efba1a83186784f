import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LedgerKind } from '../../../../shared/wallet/ledger.ts'
import type { StatementRow } from '../../../../shared/wallet/statement/statement.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { WriterTransaction } from '../../../kernel/database/transaction.ts'
import { moveMoney, spendBalance } from '../../../model/wallet/transactions.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/fixtures/test-database.ts'
import { toCsv } from '../csv.ts'
import { exportStatement, listStatement } from './statement.ts'

let site: TestDatabase
let tx: WriterTransaction
let ada: number
let can: number
let lastReference = 0

beforeEach(async () => {
  site = await openTestDatabase()
  tx = new WriterTransaction(site.writerDb)
  ada = site.addMember('ada')
  can = site.addMember('can')
})
afterEach(() => site.close())

function commit<T>(change: () => T): T {
  tx.begin(site.clock.now)
  const answer = change()
  tx.commit()
  site.clock.now += 1000
  return answer
}

const give = (amountKurus: number, kind: 'loaded' | 'earned' = 'loaded', userId = ada) =>
  commit(() =>
    moveMoney(tx, {
      ...{ from: { kind: 'bank' }, to: { kind, userId }, amountKurus, kind: kind === 'loaded' ? 'load' : 'gift' },
      ...{ referenceId: ++lastReference, actorId: null },
    }),
  )
const spend = (amountKurus: number, kind: LedgerKind = 'roomOrder', from: 'any' | 'earned' = 'any') =>
  commit(() =>
    spendBalance(tx, ada, {
      ...{ amountKurus, kind, from, referenceId: ++lastReference },
      credits: [{ account: { kind: kind === 'withdrawalRequest' ? 'withdrawals' : 'roomIncome' }, amountKurus }],
    }),
  )

/** All pages of a statement. */
function readPages(limit: number, userId = ada): StatementRow[] {
  const rows: StatementRow[] = []
  for (let before: number | null = null, page = 0; page < 1000; page++) {
    const part = listStatement(site.read, userId, { before, limit })
    expect(part.rows.length).toBeLessThanOrEqual(limit)
    rows.push(...part.rows)
    if (part.next === null) return rows
    before = part.next
  }
  return expect.unreachable('the pages do not end')
}

it('[LEDGER-13] tells each movement once, with what the user had after it, and nothing of others', () => {
  give(10_000)
  give(7_000, 'earned')
  give(500, 'loaded', can)
  spend(12_050)
  spend(4_000, 'withdrawalRequest', 'earned')
  const rows = readPages(30)
  expect(rows.map(({ kind, description, amount, balance }) => [kind, description, amount, balance])).toEqual([
    ['withdrawalRequest', 'Ödeme talebi', -40, 9.5],
    ['roomOrder', 'Oda siparişi', -120.5, 49.5],
    ['gift', 'Alınan hediye', 70, 170],
    ['load', 'Bakiye yükleme', 100, 100],
  ])
  expect(rows.map(({ referenceId }) => referenceId)).toEqual([5, 4, 2, 1].map((n) => lastReference - 5 + n))
  expect(listStatement(site.read, site.addMember('deniz'), { before: null, limit: 30 })).toEqual({
    rows: [],
    next: null,
  })
})

it('[LEDGER-13] tells the same by pages of any size, and each balance continues that of the row below', () => {
  const movement = fc.record({
    amount: fc.integer({ min: 1, max: 300 }),
    kind: fc.constantFrom('loaded', 'earned', 'spent', 'paid'),
  })
  fc.assert(
    fc.property(
      fc.array(movement, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (movements, limit) => {
        for (const { amount, kind } of movements) {
          if (kind === 'loaded' || kind === 'earned') give(amount, kind)
          else if (kind === 'spent') spend(amount)
          else spend(amount, 'withdrawalRequest', 'earned')
        }
        const rows = readPages(limit)
        expect(rows).toEqual(readPages(1000))
        const kurus = (lira: number) => Math.round(lira * 100)
        for (const [index, row] of rows.entries())
          expect(kurus(row.balance)).toBe(kurus(rows[index + 1]?.balance ?? 0) + kurus(row.amount))
      },
    ),
    { numRuns: 40 },
  )
})

it('[LEDGER-14] reads a page from an index without sorting', () => {
  give(100)
  const statements: string[] = []
  const recording: Pick<Reader, 'all'> = {
    all: (query, ...args) => {
      statements.push(query.sql)
      return site.read.all(query, ...args)
    },
  }
  listStatement(recording, ada, { before: null, limit: 30 })
  const plan = site.db.prepare(`explain query plan ${statements.at(-1)}`).all(1, 9, 9) as { detail: string }[] // SQLite's columns
  const details = plan.map(({ detail }) => detail).join('; ')
  expect(details).toContain('ledgerEntryOfAccount (accountId=? AND transactionId<?)')
  expect(details).not.toContain('TEMP B-TREE')
})

it('[LEDGER-15] exports parts that are one file when they are joined, with income and expense in columns of their own', () => {
  give(12_345)
  spend(345)
  const { csv, next } = exportStatement(site.read, { userId: ada, before: null })
  expect(next).toBeNull()
  expect(csv.split('\r\n')).toEqual([
    '\uFEFF"Tarih";"İşlem";"Giren (₺)";"Çıkan (₺)";"Bakiye (₺)";"Referans"',
    `"2023-11-15 01:13:21";"Oda siparişi";"";"3,45";"120,00";"${lastReference}"`,
    `"2023-11-15 01:13:20";"Bakiye yükleme";"123,45";"";"123,45";"${lastReference - 1}"`,
    '',
  ])
  const last = listStatement(site.read, ada, { before: null, limit: 1 }).next
  const rest = exportStatement(site.read, { userId: ada, before: last }).csv
  expect(rest).toBe(`"2023-11-15 01:13:20";"Bakiye yükleme";"123,45";"";"123,45";"${lastReference - 1}"\r\n`)
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])('[LEDGER-15] escapes the cell %j', (cell) => {
  expect(toCsv([[cell]])).toBe(`\uFEFF"'${cell}"\r\n`)
})

it('[LEDGER-15] doubles quotes, and leaves other cells as they are', () => {
  expect(toCsv([['a"b', '1=2', '']])).toBe('\uFEFF"a""b";"1=2";""\r\n')
})
