import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import type { CompiledQuery, Kysely } from 'kysely'
import { DatabaseError } from './open.ts'
import { fromCompiled, queryBuilderOf } from './query.ts'

/** One step of the schema, forward only: a release adds columns, a later release drops the old ones. */
export interface Migration {
  /** The lowest version of the code, in migrations, that can use the file after this step. */
  oldestCode: number
  up(db: Kysely<unknown>): CompiledQuery[]
}

export interface NumberedMigration extends Migration {
  id: number
  name: string
  hash: string
}

interface AppliedMigration {
  id: number
  name: string
  hash: string
  oldestCode: number
}

const migrationsFolder = new URL('../../../../migrations/', import.meta.url)

/** Loads the migrations of this code, in order. Throws when a number repeats or is missing. */
export async function loadMigrations(from: URL = migrationsFolder): Promise<NumberedMigration[]> {
  const files = readdirSync(from)
    .filter((file) => /^\d{4}-.+\.ts$/.test(file))
    .sort()
  return Promise.all(
    files.map(async (file, index) => {
      const id = Number(file.slice(0, 4))
      if (id !== index + 1) throw new Error(`migration ${file} should have number ${index + 1}`)
      const { migration } = (await import(new URL(file, from).href)) as { migration: Migration } // each file exports one
      const hash = createHash('sha256')
        .update(readFileSync(new URL(file, from)))
        .digest('hex')
      return { ...migration, id, name: file.slice(0, -3), hash }
    }),
  )
}

/**
 * Applies the missing migrations in order, in one transaction, and returns their count. `now` is in epoch milliseconds.
 * Throws a DatabaseError when the file needs newer code or an applied migration was changed.
 */
export function migrate(db: Sqlite.Database, migrations: NumberedMigration[], now: number): number {
  return db
    .transaction(() => {
      db.exec(
        'create table if not exists migration (id integer primary key, name text not null, hash text not null, oldestCode integer not null, at integer not null) strict',
      )
      const applied = db
        .prepare('select id, name, hash, oldestCode from migration order by id')
        .all() as AppliedMigration[]
      assertNotNewer(applied, migrations.length)
      for (const done of applied) assertUnchanged(done, migrations[done.id - 1])
      const missing = migrations.filter((migration) => migration.id > applied.length)
      for (const migration of missing) applyMigration(db, migration, now)
      return missing.length
    })
    .immediate()
}

/**
 * Whether the file has all migrations of this code; `behind` on a replica until the primary has applied them. Only
 * reads. Throws a DatabaseError as `migrate` does.
 */
export function migrationState(db: Sqlite.Database, migrations: NumberedMigration[]): 'ready' | 'behind' {
  const isMigrated = db.prepare("select 1 from sqlite_schema where name = 'migration'").get()
  if (!isMigrated) return 'behind'
  const applied = db.prepare('select id, name, hash, oldestCode from migration order by id').all() as AppliedMigration[]
  assertNotNewer(applied, migrations.length)
  for (const done of applied) assertUnchanged(done, migrations[done.id - 1])
  return applied.length < migrations.length ? 'behind' : 'ready'
}

function assertNotNewer(applied: AppliedMigration[], code: number): void {
  const newer = applied.find((done) => done.oldestCode > code)
  if (newer) {
    throw new DatabaseError(
      `The database was migrated by newer code (${newer.name}), which needs at least version ${newer.oldestCode}; this is version ${code}. Start the newer release, or restore a backup.`,
    )
  }
}

function assertUnchanged(done: AppliedMigration, known: NumberedMigration | undefined): void {
  if (known && known.hash !== done.hash) {
    throw new DatabaseError(
      `Migration ${done.name} was changed after it ran on this database. Restore the file as it was released.`,
    )
  }
}

function applyMigration(db: Sqlite.Database, migration: NumberedMigration, now: number): void {
  for (const step of migration.up(queryBuilderOf<unknown>())) {
    const query = fromCompiled(step)
    db.prepare(query.sql).run(...query.bind({}))
  }
  db.prepare('insert into migration values (?, ?, ?, ?, ?)').run(
    migration.id,
    migration.name,
    migration.hash,
    migration.oldestCode,
    now,
  )
}
