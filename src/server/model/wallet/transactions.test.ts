import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { decodeEventPayload } from '../../kernel/database/events/logged-event.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { balanceOf } from './queries.ts'
import { type Credit, moveMoney, refuseChangedPrice, type Spending, spendBalance } from './transactions.ts'

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

/** Commits what `change` does, and returns its answer and its events. */
function commit<T>(change: () => T): { answer: T; events: { stream: string; name: string; payload: unknown }[] } {
  tx.begin(site.clock.now)
  try {
    const answer = change()
    const events = tx.commit().map((event) => ({ ...event, payload: decodeEventPayload(event) }))
    return { answer, events }
  } catch (error) {
    tx.rollback()
    throw error
  }
}

function give(userId: number, amountKurus: number, kind: 'loaded' | 'earned' = 'loaded'): void {
  giveMoney(site.file, { userId, amountKurus, kind })
  // Takes the event that the other connection wrote.
  commit(() => null)
}
const spend = (userId: number, amountKurus: number, more: Partial<Spending> = {}) =>
  spendBalance(tx, userId, {
    ...{ amountKurus, kind: 'roomOrder', referenceId: ++lastReference },
    credits: [{ account: { kind: 'roomIncome' }, amountKurus }],
    ...more,
  })
const accounts = () =>
  Object.fromEntries(
    (site.db.prepare('select kind, userId, balanceKurus from ledgerAccount').all() as Record<string, unknown>[]).map(
      ({ kind, userId, balanceKurus }) => [userId === null ? kind : `${kind} ${userId}`, balanceKurus],
    ),
  )
const count = (table: string) => site.db.prepare(`select count(*) from ${table}`).pluck().get()

describe('what the database guards', () => {
  it.each([
    'update ledgerTransaction set referenceId = 7',
    'delete from ledgerTransaction',
    "insert or replace into ledgerTransaction select id, 'gift', 9, actorId, createdAt from ledgerTransaction",
    'update ledgerEntry set amountKurus = amountKurus + 1',
    'delete from ledgerEntry',
    'insert or replace into ledgerEntry select transactionId, accountId, 5, balanceKurus + 5 from ledgerEntry',
  ])('[LEDGER-01] refuses: %s', (statement) => {
    give(ada, 500)
    expect(() => site.db.exec(statement)).toThrow('append-only')
    expect(balanceOf(site.read, ada).balanceKurus).toBe(500)
  })

  it('[LEDGER-01] refuses an entry of an earlier transaction', () => {
    give(ada, 500)
    give(ada, 500)
    const late = site.db.prepare(
      "insert into ledgerEntry select 1, id, 5, 5 from ledgerAccount where kind = 'giftIncome'",
    )
    expect(() => late.run()).toThrow('append-only')
  })

  it.each([
    'update ledgerAccount set balanceKurus = balanceKurus + 100 where userId is not null',
    "insert into ledgerAccount (kind, userId, balanceKurus) select 'earned', id, 100 from user",
    'update ledgerAccount set userId = 2 where userId = 1',
    'delete from ledgerAccount',
  ])('[LEDGER-03] refuses: %s', (statement) => {
    give(ada, 500)
    expect(() => site.db.exec(statement)).toThrow(/balance|owner|append-only/)
    expect(balanceOf(site.read, ada).balanceKurus).toBe(500)
  })

  it('[LEDGER-03] refuses an entry that does not continue the balance of its account', () => {
    give(ada, 500)
    const insert = () =>
      site.db.exec(`
        insert into ledgerTransaction (kind, referenceId, createdAt) values ('load', 5, 0);
        insert into ledgerEntry select (select max(id) from ledgerTransaction), id, 100, 100 from ledgerAccount where userId = ${ada}`)
    expect(insert).toThrow('does not continue the balance')
  })

  it.each(['loaded', 'earned'] as const)('[LEDGER-04] refuses a negative %s account', (kind) => {
    give(ada, 500, kind)
    const move = { from: { kind, userId: ada }, to: { kind: 'bank' as const }, amountKurus: 501, kind: 'load' as const }
    expect(() => commit(() => moveMoney(tx, { ...move, referenceId: 3, actorId: null }))).toThrow('CHECK constraint')
    expect(balanceOf(site.read, ada).balanceKurus).toBe(500)
  })

  it.each(['roomIncome', 'premiumIncome', 'giftIncome', 'withdrawals'] as const)(
    '[LEDGER-04] refuses a negative account %s',
    (kind) => {
      const move = {
        from: { kind },
        to: { kind: 'loaded' as const, userId: ada },
        amountKurus: 1,
        kind: 'load' as const,
      }
      expect(() => commit(() => moveMoney(tx, { ...move, referenceId: 3, actorId: null }))).toThrow('CHECK constraint')
    },
  )

  it('[LEDGER-10] refuses a second transaction of a kind for one reference, and lets a room be renewed again', () => {
    give(ada, 1000)
    commit(() => spend(ada, 100, { kind: 'roomOrder', referenceId: 77 }))
    expect(() => commit(() => spend(ada, 100, { kind: 'roomOrder', referenceId: 77 }))).toThrow('UNIQUE')
    for (let renewal = 0; renewal < 2; renewal++)
      commit(() => spend(ada, 100, { kind: 'roomRenewal', referenceId: 77 }))
    expect(balanceOf(site.read, ada).balanceKurus).toBe(700)
  })
})

describe('spending', () => {
  it('[LEDGER-02] [LEDGER-05] takes loaded money before earned, and its entries sum to zero', () => {
    give(ada, 300)
    give(ada, 500, 'earned')
    commit(() => spend(ada, 200))
    expect(balanceOf(site.read, ada)).toEqual({ balanceKurus: 600, withdrawableKurus: 500 })
    commit(() => spend(ada, 300))
    expect(balanceOf(site.read, ada)).toEqual({ balanceKurus: 300, withdrawableKurus: 300 })
    expect(site.db.prepare('select sum(balanceKurus) from ledgerAccount').pluck().get()).toBe(0)
    const sums = site.db.prepare('select sum(amountKurus) from ledgerEntry group by transactionId').pluck().all()
    expect(sums).toEqual([0, 0, 0, 0])
  })

  it('[LEDGER-05] takes earned money alone for a payment', () => {
    give(ada, 300)
    give(ada, 500, 'earned')
    const payment = { kind: 'withdrawalRequest', from: 'earned' } as const
    const credits = (amountKurus: number): Credit[] => [{ account: { kind: 'withdrawals' }, amountKurus }]
    const refused = commit(() => spend(ada, 501, { ...payment, credits: credits(501) })).answer
    expect((refused as Refusal).body).toMatchObject({ code: 'InsufficientBalance', missing: 0.01 })
    commit(() => spend(ada, 500, { ...payment, credits: credits(500) }))
    expect(balanceOf(site.read, ada)).toEqual({ balanceKurus: 300, withdrawableKurus: 0 })
    expect(accounts()).toMatchObject({ withdrawals: 500 })
  })

  it('[LEDGER-06] refuses who has too little with what is missing, and writes nothing', () => {
    give(ada, 1000)
    const before = [accounts(), count('ledgerTransaction'), count('event')]
    const { answer, events } = commit(() => spend(ada, 5050))
    expect(answer).toBeInstanceOf(Refusal)
    expect((answer as Refusal).body).toEqual({
      code: 'InsufficientBalance',
      message: 'Yetersiz bakiye! 40,50 ₺ daha gerekiyor.',
      missing: 40.5,
    })
    expect(events).toEqual([])
    expect([accounts(), count('ledgerTransaction'), count('event')]).toEqual(before)
  })

  it('[LEDGER-02] credits several accounts, and adds up those that are named twice', () => {
    give(ada, 1000)
    const credits: Credit[] = [
      { account: { kind: 'earned', userId: can }, amountKurus: 300 },
      { account: { kind: 'earned', userId: can }, amountKurus: 400 },
      { account: { kind: 'giftIncome' }, amountKurus: 300 },
    ]
    commit(() => spend(ada, 1000, { kind: 'gift', credits }))
    expect(balanceOf(site.read, can)).toEqual({ balanceKurus: 700, withdrawableKurus: 700 })
    expect(accounts()).toMatchObject({ bank: -1000, giftIncome: 300 })
  })

  it('[LEDGER-02] records what is free without entries', () => {
    const { answer, events } = commit(() => spend(ada, 0))
    expect(answer).toEqual({ ledgerTransactionId: expect.any(Number) })
    expect([events, count('ledgerEntry')]).toEqual([[], 0])
  })

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('[LEDGER-02] refuses %d kuruş as a bug', (amountKurus) => {
    give(ada, 1000)
    expect(() => commit(() => spend(ada, amountKurus))).toThrow('no amount in kuruş')
    const move = { from: { kind: 'bank' }, to: { kind: 'loaded', userId: ada }, kind: 'load' } as const
    const moved = { ...move, amountKurus, referenceId: 3, actorId: null }
    expect(() => commit(() => moveMoney(tx, moved))).toThrow('no amount in kuruş')
    expect(balanceOf(site.read, ada).balanceKurus).toBe(1000)
  })

  it('[LEDGER-02] refuses credits that do not add up, negative ones, and those of the payer', () => {
    give(ada, 1000)
    const income = (amountKurus: number): Credit => ({ account: { kind: 'roomIncome' }, amountKurus })
    const gift = (amountKurus: number): Credit => ({ account: { kind: 'giftIncome' }, amountKurus })
    expect(() => commit(() => spend(ada, 100, { credits: [income(99)] }))).toThrow('sum to zero')
    expect(() => commit(() => spend(ada, 100, { credits: [income(200), gift(-100)] }))).toThrow('no amount in kuruş')
    const own = { account: { kind: 'earned' as const, userId: ada }, amountKurus: 100 }
    expect(() => commit(() => spend(ada, 100, { credits: [own] }))).toThrow('nobody pays their own account')
    expect(balanceOf(site.read, ada).balanceKurus).toBe(1000)
  })

  it('[LEDGER-07] refuses a price that is not the shown one, and takes any without a shown one', () => {
    expect(refuseChangedPrice(undefined, 5000)).toBeNull()
    expect(refuseChangedPrice(50, 5000)).toBeNull()
    expect(refuseChangedPrice(19.99, 1999)).toBeNull()
    expect(refuseChangedPrice(50, 6050)?.body).toEqual({
      code: 'PriceChanged',
      message: 'Fiyat değişti. Yeni fiyat: 60,50 ₺.',
      price: 60.5,
    })
  })

  it('[LEDGER-09] opens no account for a guest', () => {
    const guest = site.addMember('misafir')
    site.db.prepare('update user set isGuest = 1 where id = ?').run(guest)
    expect(() => give(guest, 100)).toThrow('only members have an account')
  })

  it('[LEDGER-08] tells each user concerned the absolute balance', () => {
    give(ada, 1000)
    const credits: Credit[] = [
      { account: { kind: 'earned', userId: can }, amountKurus: 70 },
      { account: { kind: 'giftIncome' }, amountKurus: 30 },
    ]
    const { events } = commit(() => spend(ada, 100, { kind: 'gift', credits }))
    expect(events.map(({ stream, name, payload }) => [stream, name, payload])).toEqual([
      [`user:${ada}`, 'balanceUpdated', { balance: 9, withdrawable: 0 }],
      [`user:${can}`, 'balanceUpdated', { balance: 0.7, withdrawable: 0.7 }],
    ])
  })
})
