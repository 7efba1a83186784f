import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { fsyncPath } from './backup.ts'
import { lastUsedSeq } from './events/events.ts'
import { skipSequence } from './events/skip-sequence.ts'
import { migrate, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'
import { query } from './query.ts'
import { DatabaseReader } from './read.ts'
import { WriterTransaction } from './transaction.ts'

export interface RestoreOptions {
  databaseFile: string
  /** A file that `backUp` made. It is not changed. */
  source: string
  migrations: NumberedMigration[]
  /** Epoch milliseconds. */
  now: number
}

const endAllSessions = query()((db) => db.deleteFrom('session'))

/**
 * Replaces the database with a backup. Returns the path of the old file, or null when there was none.
 * Throws a DatabaseError, without any change, when the site runs or the backup cannot be used.
 */
export function restore({ databaseFile, source, migrations, now }: RestoreOptions): string | null {
  if (!existsSync(source)) throw new DatabaseError(`There is no file ${source}.`)
  if (resolve(source) === resolve(databaseFile)) throw new DatabaseError('The database cannot be its own backup.')
  mkdirSync(dirname(databaseFile), { recursive: true })
  const current = lockExclusively(databaseFile)
  const draft = `${databaseFile}.restoring`
  try {
    removeDatabaseFiles(draft)
    copyFileSync(source, draft)
    prepareDraft(draft, migrations, now, readLastUsedSeq(current))
    return swapIntoPlace(databaseFile, draft, now)
  } finally {
    removeDatabaseFiles(draft)
    current?.close()
  }
}

/** Locks the database against every other process. Null when the file is missing or damaged. Throws while the site runs. */
function lockExclusively(file: string): Sqlite.Database | null {
  if (!existsSync(file)) return null
  const db = new Sqlite(file, { timeout: 0 })
  try {
    // Leaving WAL mode fails while any other connection is open, even an idle one.
    db.pragma('journal_mode = DELETE')
    db.prepare('begin exclusive').run()
    return db
  } catch (error) {
    db.close()
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (/^SQLITE_BUSY/.test(code)) throw new DatabaseError('The site is running. Stop it first, then restore.')
    // A damaged file cannot be locked, but no site runs on it either.
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return null
    throw error
  }
}

/** The last number of the log that is about to be replaced; 0 when it cannot be read. */
function readLastUsedSeq(db: Sqlite.Database | null): number {
  try {
    return db ? lastUsedSeq(new DatabaseReader(db)) : 0
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return 0
    throw error
  }
}

/** Makes the copy ready for a start: checked, migrated, with skipped numbers and without sessions. */
function prepareDraft(draft: string, migrations: NumberedMigration[], now: number, lostSeq: number): void {
  const db = openForWriting(draft)
  try {
    const checkResult = db.pragma('integrity_check(1)', { simple: true })
    if (checkResult !== 'ok') throw new DatabaseError(`The backup is damaged (${checkResult}).`)
    const isOurs = db.prepare("select 1 from sqlite_schema where name = 'migration'").get()
    if (!isOurs) throw new DatabaseError('The file is a database, but not a backup of Meydan.')
    migrate(db, migrations, now)
    const tx = new WriterTransaction(db)
    tx.begin(now)
    skipSequence(tx, { lostSeq })
    // A session that ended after the backup must not come back.
    tx.run(endAllSessions)
    tx.commit()
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
  fsyncPath(draft)
}

/** Renames the draft over the database, atomically; the old content stays under another name, which is returned. */
function swapIntoPlace(databaseFile: string, draft: string, now: number): string | null {
  const isNew = !existsSync(databaseFile)
  const oldFile = `${databaseFile}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
  // SQLite would apply a damaged file's leftover journal to the new file.
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, oldFile + suffix)
  }
  if (!isNew) linkSync(databaseFile, oldFile)
  renameSync(draft, databaseFile)
  fsyncPath(dirname(databaseFile))
  return isNew ? null : oldFile
}

function removeDatabaseFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
