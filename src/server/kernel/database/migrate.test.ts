import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { loadMigrations, migrate, migrationState, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'

let folder: ReturnType<typeof createTemporaryFolder>
let file: string
beforeEach(() => {
  folder = createTemporaryFolder()
  file = join(folder.path, 'meydan.db')
})
afterEach(() => folder.remove())

const step = (id: number, more: Partial<NumberedMigration> = {}): NumberedMigration => ({
  id,
  name: `${id}-step`,
  hash: `hash of ${id}`,
  oldestCode: 1,
  up: (db) => [sql.raw(`create table t${id} (id integer primary key) strict`).compile(db)],
  ...more,
})
const tables = (db: ReturnType<typeof openForWriting>) =>
  db.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()

describe('migrations', () => {
  it('run once, in order, from where an older release stopped', () => {
    const db = openForWriting(file)
    expect(migrate(db, [step(1)], 0)).toBe(1)
    expect(migrate(db, [step(1), step(2)], 0)).toBe(1)
    expect(migrate(db, [step(1), step(2)], 0)).toBe(0)
    expect(tables(db)).toEqual(['migration', 't1', 't2'])
  })

  it('leave nothing behind when one of them fails', () => {
    const db = openForWriting(file)
    const broken = step(2, { up: (kysely) => [sql`create table t1 (id integer)`.compile(kysely)] })
    expect(() => migrate(db, [step(1), broken], 0)).toThrow(/already exists/)
    expect(tables(db)).toEqual([])
  })

  it('refuse a file that needs newer code, and accept one that does not', () => {
    const db = openForWriting(file)
    migrate(db, [step(1), step(2)], 0)
    expect(migrate(db, [step(1)], 0)).toBe(0)
    migrate(db, [step(1), step(2), step(3, { oldestCode: 3 })], 0)
    expect(() => migrate(db, [step(1), step(2)], 0)).toThrow(DatabaseError)
  })

  it('refuse a step that was changed after it ran', () => {
    const db = openForWriting(file)
    migrate(db, [step(1)], 0)
    expect(() => migrate(db, [step(1, { hash: 'another' })], 0)).toThrow(/changed after it ran/)
  })

  it('[REG-05] distinguish a migrated file from one that is still behind', () => {
    const db = openForWriting(file)
    expect(migrationState(db, [step(1)])).toBe('behind')
    migrate(db, [step(1)], 0)
    expect(migrationState(db, [step(1)])).toBe('ready')
    expect(migrationState(db, [step(1), step(2)])).toBe('behind')
    migrate(db, [step(1), step(2)], 0)
    expect(migrationState(db, [step(1)])).toBe('ready')
    expect(() => migrationState(db, [step(1, { hash: 'another' })])).toThrow(/changed after it ran/)
    migrate(db, [step(1), step(2), step(3, { oldestCode: 3 })], 0)
    expect(() => migrationState(db, [step(1), step(2)])).toThrow(DatabaseError)
  })

  it('are numbered without gaps', async () => {
    const from = join(folder.path, 'migrations')
    mkdirSync(from)
    writeFileSync(join(from, '0002-late.ts'), 'export const migration = { oldestCode: 1, up: () => [] }')
    await expect(loadMigrations(pathToFileURL(`${from}/`))).rejects.toThrow('should have number 1')
  })
})

describe('a damaged file', () => {
  it('is reported and left unchanged', async () => {
    const db = openForWriting(file)
    migrate(db, await loadMigrations(), 0)
    db.close()
    const bytes = readFileSync(file)
    for (const broken of [
      Buffer.from('not a database at all, just some text'.repeat(50)),
      Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 0xff)]),
    ]) {
      writeFileSync(file, broken)
      expect(() => openForWriting(file)).toThrow(/is damaged .*restore/)
      expect(readFileSync(file).equals(broken)).toBe(true)
    }
  })
})
