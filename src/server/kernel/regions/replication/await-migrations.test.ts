import type Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeLiteFs, openFakeLiteFs } from '../../../testing/fixtures/fake-litefs.ts'
import { migrate, type NumberedMigration } from '../../database/migrate.ts'
import { DatabaseError, openForWriting } from '../../database/open.ts'
import { connectLiteFs, type LiteFsClient } from '../litefs/litefs-client.ts'
import { createMigrationCheck, waitForDatabase } from './await-migrations.ts'

const step = (id: number, oldestCode = 1): NumberedMigration => ({
  id,
  name: `${id}-step`,
  hash: `hash of ${id}`,
  oldestCode,
  up: (db) => [sql.raw(`create table t${id} (id integer primary key) strict`).compile(db)],
})
const ours = [step(1), step(2)]

let fake: FakeLiteFs
let litefs: LiteFsClient
let db: Sqlite.Database | null
let abort: AbortController
let txid: number
beforeEach(async () => {
  fake = await openFakeLiteFs({ isPrimary: false, hostname: 'http://ist' })
  const { url, databaseFile } = fake
  const log = pino({ enabled: false })
  litefs = await connectLiteFs({ url, databaseFile, ownUrl: 'http://own', log, onDead: () => {} })
  abort = new AbortController()
  db = null
  txid = 0
})
afterEach(async () => {
  abort.abort()
  litefs.close()
  db?.close()
  await fake.close()
})

function startWaiting() {
  const settled = vi.fn<() => void>()
  const waiting = waitForDatabase({ litefs, databaseFile: fake.databaseFile, migrations: ours, signal: abort.signal })
  waiting.then(settled, settled)
  return { waiting, settled }
}
/** Applies the primary's writes to the local file. */
function writeDatabase(migrations: NumberedMigration[]): Sqlite.Database {
  db ??= openForWriting(fake.databaseFile)
  migrate(db, migrations, 0)
  fake.emitTransaction(++txid)
  return db
}
/** Resolves when the listeners have handled the transaction. */
const nextTransaction = () => new Promise<void>((resolve) => litefs.onTransaction(resolve))

describe('a region without a database', () => {
  it('[REG-05] waits for a database, and until it is migrated for its code', async () => {
    const { waiting, settled } = startWaiting()
    let next = nextTransaction()
    writeDatabase([])
    await next
    next = nextTransaction()
    writeDatabase([step(1)])
    await next
    expect(settled).not.toHaveBeenCalled()
    writeDatabase(ours)
    expect(await waiting).toBe('ready')
  })

  it('[REG-05] accepts at once a database that newer code migrated further', async () => {
    writeDatabase([...ours, step(3)])
    expect(await startWaiting().waiting).toBe('ready')
  })

  it('[REG-05] finds a database that was not announced', async () => {
    const { waiting } = startWaiting()
    db = openForWriting(fake.databaseFile)
    migrate(db, ours, 0)
    fake.writePositionFile(1)
    expect(await waiting).toBe('ready')
  })

  it('[REG-05] ignores a file before its first transaction', async () => {
    db = openForWriting(fake.databaseFile)
    migrate(db, ours, 0)
    fake.writePositionFile(0)
    const { waiting, settled } = startWaiting()
    const next = nextTransaction()
    fake.writeToStreams(`${JSON.stringify({ type: 'tx', db: 'meydan.db' })}\n`)
    await next
    expect(settled).not.toHaveBeenCalled()
    fake.emitTransaction(1)
    expect(await waiting).toBe('ready')
  })

  it('[REG-05] stops waiting when it becomes the primary', async () => {
    const { waiting } = startWaiting()
    fake.setLeader({ isPrimary: true })
    expect(await waiting).toBe('primary')
  })

  it('[REG-05] rejects when its code is too old for the database', async () => {
    const { waiting } = startWaiting()
    writeDatabase([...ours, step(3, 3)])
    await expect(waiting).rejects.toThrow(DatabaseError)
  })

  it('rejects when it is aborted', async () => {
    const { waiting } = startWaiting()
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(startWaiting().waiting).rejects.toThrow('enough')
  })
})

describe('a region whose primary is upgraded first', () => {
  it('[REG-33] works with a newer database until that needs newer code', () => {
    const check = createMigrationCheck(writeDatabase(ours), ours)
    check()
    writeDatabase([...ours, step(3)])
    check()
    writeDatabase([...ours, step(3), step(4, 3)])
    expect(check).toThrow(/needs at least version 3; this is version 2/)
    expect(check).toThrow(DatabaseError)
  })
})
