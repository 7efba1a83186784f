import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { fsyncPath } from './backup.ts'
import { lastUsedSeq, skipSequence } from './events.ts'
import { migrate, type NumberedMigration } from './migrate.ts'
import { DatabaseError, openForWriting } from './open.ts'
import { query } from './query.ts'
import { DatabaseReader } from './read.ts'
import { WriterTransaction } from './transact.ts'

export interface RestoreOptions {
  databaseFile: string
  /** A file that `backUp` made. It is left as it is. */
  source: string
  migrations: NumberedMigration[]
  /** Epoch milliseconds. */
  now: number
}

const endAllSessions = query()((db) => db.deleteFrom('session'))

/**
 * Puts a backup in the place of the database and answers where the old file is kept, or null when there was none.
 * Throws a DatabaseError, and has changed nothing, when the site runs or the backup cannot be used.
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

/** Makes sure that nobody else has the database open, and keeps it so. Null when there is none, or a damaged one. */
function lockExclusively(file: string): Sqlite.Database | null {
  if (!existsSync(file)) return null
  const db = new Sqlite(file, { timeout: 0 })
  try {
    // Leaving WAL takes a lock that any other connection, busy or idle, keeps from us.
    db.pragma('journal_mode = DELETE')
    db.prepare('begin exclusive').run()
    return db
  } catch (error) {
    db.close()
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (/^SQLITE_BUSY/.test(code)) throw new DatabaseError('The site is running. Stop it first, then restore.')
    // A damaged file cannot be locked, but no site runs on one; it is kept as it is.
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return null
    throw error
  }
}

/** How far the log had come that is about to be lost; 0 when the file cannot say. */
function readLastUsedSeq(db: Sqlite.Database | null): number {
  try {
    return db ? lastUsedSeq(new DatabaseReader(db)) : 0
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return 0
    throw error
  }
}

/** Brings the copy to the state in which a site may start on it: checked, migrated, numbers leapt, nobody signed in. */
function prepareDraft(draft: string, migrations: NumberedMigration[], now: number, lost: number): void {
  const db = openForWriting(draft)
  try {
    const found = db.pragma('integrity_check(1)', { simple: true })
    if (found !== 'ok') throw new DatabaseError(`The backup is damaged (${found}).`)
    const isOurs = db.prepare("select 1 from sqlite_schema where name = 'migration'").get()
    if (!isOurs) throw new DatabaseError('The file is a database, but not a backup of Meydan.')
    migrate(db, migrations, now)
    const tx = new WriterTransaction(db)
    tx.begin(now)
    skipSequence(tx, { lostSeq: lost })
    // Whoever logged out after the backup was made must not be signed in again by it.
    tx.run(endAllSessions)
    tx.commit()
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
  fsyncPath(draft)
}

/** The new file takes the place in one step; the old one keeps its content under another name. */
function swapIntoPlace(databaseFile: string, draft: string, now: number): string | null {
  const isNew = !existsSync(databaseFile)
  const kept = `${databaseFile}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
  // What a damaged file left beside it would be taken for part of the new one.
  for (const beside of ['-wal', '-shm', '-journal']) {
    if (existsSync(databaseFile + beside)) renameSync(databaseFile + beside, kept + beside)
  }
  if (!isNew) linkSync(databaseFile, kept)
  renameSync(draft, databaseFile)
  fsyncPath(dirname(databaseFile))
  return isNew ? null : kept
}

function removeDatabaseFiles(file: string): void {
  for (const part of ['', '-wal', '-shm', '-journal']) rmSync(file + part, { force: true })
}
