import type Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { migrate, type NumberedMigration } from '../../database/migrate.ts'
import { DatabaseError, openForWriting } from '../../database/open.ts'
import { type FakeLiteFs, openFakeLiteFs } from '../../testing/fixtures/fake-litefs.ts'
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
/** LiteFS brings what the primary wrote. */
function writeDatabase(migrations: NumberedMigration[]): Sqlite.Database {
  db ??= openForWriting(fake.databaseFile)
  migrate(db, migrations, 0)
  fake.emitTransaction(++txid)
  return db
}
/** Resolves when that was heard, and whoever listens has looked. */
const nextTransaction = () => new Promise<void>((resolve) => litefs.onTransaction(resolve))

describe('a region that has nothing to serve from', () => {
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

  it('[REG-05] goes on at once with one that is there, and was migrated further by newer code', async () => {
    writeDatabase([...ours, step(3)])
    expect(await startWaiting().waiting).toBe('ready')
  })

  it('[REG-05] finds it even if nobody tells', async () => {
    const { waiting } = startWaiting()
    db = openForWriting(fake.databaseFile)
    migrate(db, ours, 0)
    fake.writePositionFile(1)
    expect(await waiting).toBe('ready')
  })

  it('[REG-05] does not take a file for a database before its first transaction has arrived', async () => {
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

  it('[REG-05] goes on when it leads: it makes its database itself', async () => {
    const { waiting } = startWaiting()
    fake.setLeader({ isPrimary: true })
    expect(await waiting).toBe('primary')
  })

  it('[REG-05] says that its code is too old for what arrived', async () => {
    const { waiting } = startWaiting()
    writeDatabase([...ours, step(3, 3)])
    await expect(waiting).rejects.toThrow(DatabaseError)
  })

  it('gives up when it is told to', async () => {
    const { waiting } = startWaiting()
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(startWaiting().waiting).rejects.toThrow('enough')
  })
})

describe('a region whose primary is upgraded first', () => {
  it('[REG-33] goes on beside a newer database, until that needs newer code', () => {
    const check = createMigrationCheck(writeDatabase(ours), ours)
    check()
    writeDatabase([...ours, step(3)])
    check()
    writeDatabase([...ours, step(3), step(4, 3)])
    expect(check).toThrow(/needs at least version 3; this is version 2/)
    expect(check).toThrow(DatabaseError)
  })
})
