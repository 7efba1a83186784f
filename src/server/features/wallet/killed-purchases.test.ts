import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandRegistry } from '../../commands.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { DatabaseReader } from '../../kernel/database/read.ts'
import { type WriteJob, Writer } from '../../kernel/database/writer.ts'
import { balanceOf } from '../../model/wallet/queries.ts'
import { giveMoney } from '../../testing/fixtures/money.ts'
import { createTemporaryFolder, openTestDatabase } from '../../testing/fixtures/test-database.ts'
import { checkLedger } from './check-ledger.ts'

/** Each with what it takes from the buyer's balance, and how many things the buyer has of it. */
const purchases = [
  { command: 'upgradeToPremium', input: {}, priceKurus: 5_000, bought: 'select count(*) from premiumPurchase' },
  {
    command: 'requestWithdrawal',
    input: { withdrawalOptionId: 1, firstName: 'Ada', lastName: 'Yılmaz', iban: 'TR330006100519786457841326' },
    ...{ priceKurus: 5_000, bought: 'select count(*) from moneyRequest' },
  },
  {
    command: 'orderRoom',
    input: { name: 'Yeni', isList: true, capacityOptionId: 1, durationOptionId: 1 },
    ...{ priceKurus: 11_000, bought: 'select count(*) from room where ownerId is not null' },
  },
  {
    command: 'sendGift',
    input: { giftKindId: 1, recipientId: 2, roomId: null, isShared: false },
    ...{ priceKurus: 500, bought: 'select count(*) from gift' },
  },
]
const START_KURUS = 100_000

const folder = createTemporaryFolder()
const baseFile = join(folder.path, 'base.db')
let buyer: number
let now: number

beforeAll(async () => {
  const site = await openTestDatabase()
  buyer = site.addMember('ada')
  site.addMember('can')
  now = site.clock.now
  giveMoney(site.file, { userId: buyer, amountKurus: START_KURUS, kind: 'earned' })
  site.db.exec(`vacuum into '${baseFile}'`)
  site.close()
})
afterAll(() => folder.remove())

const openWriter = (db: Sqlite.Database) =>
  new Writer(db, { commands: commandRegistry, clock: () => now, isOnLiteFs: false })

/** Runs the job and copies the database's files before each statement and before the answer: what a SIGKILL would leave. */
function copyAtEachStep(job: WriteJob): { images: string[]; answer: object | undefined } {
  const file = join(folder.path, `${job.command}.db`)
  copyFileSync(baseFile, file)
  const db = openForWriting(file)
  const writer = openWriter(db)
  const images: string[] = []
  const copyFiles = (): void => {
    const image = join(folder.path, `${job.command}-${images.length}.db`)
    for (const part of ['', '-wal']) copyFileSync(file + part, image + part)
    images.push(image)
  }
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    const statement = prepare(sql)
    const run = statement.run.bind(statement)
    statement.run = (...params: unknown[]) => {
      copyFiles()
      return run(...params)
    }
    return statement
  }) as typeof db.prepare // the same signature
  const [result] = writer.runBatch([job]).results
  copyFiles()
  db.close()
  return { images, answer: result?.answer }
}

describe.each(purchases)('a process that is killed during $command', ({ command, input, priceKurus, bought }) => {
  it('[LEDGER-19] has charged and given all or nothing between any two statements, and a retry charges once', () => {
    const actor = { userId: buyer, sessionId: buyer }
    const job: WriteJob = { id: 1, command, input, actor, clientId: randomUUID() }
    const { images, answer } = copyAtEachStep(job)
    expect(answer).toMatchObject({ success: true })
    // Transaction, three entries and accounts, the thing itself, the answer, begin and commit.
    expect(images.length).toBeGreaterThan(7)
    const done = [START_KURUS - priceKurus, 1, []]
    const doneBefore = images.map((image) => {
      const db = openForWriting(image)
      const reader = new DatabaseReader(db)
      const state = () => [balanceOf(reader, buyer).balanceKurus, db.prepare(bought).pluck().get(), checkLedger(reader)]
      const found = state()
      expect([[START_KURUS, 0, []], done]).toContainEqual(found)
      const writer = openWriter(db)
      for (let retry = 0; retry < 2; retry++) {
        expect(writer.runBatch([job]).results[0]?.answer).toEqual(answer)
        expect(state()).toEqual(done)
      }
      db.close()
      return found[1] === 1
    })
    // Only the last image is later than the commit.
    expect(doneBefore.indexOf(true)).toBe(images.length - 1)
  })
})
