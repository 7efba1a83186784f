import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'

/** The file cannot be used; the message gives the cause and the remedy for the operator. The file is never overwritten. */
export class DatabaseError extends Error {}

/** Files up to this size are checked at start, which takes at most about 0.2 s. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024

/**
 * Pages of 4 KiB in the write-ahead log at which a commit also copies them into the file. SQLite's 1,000 are full after
 * a few hundred messages, and most pages would be copied again the next time.
 */
const WAL_CHECKPOINT_PAGES = 4_000

/** Opens the writing connection and creates a missing file. Throws a DatabaseError for damage that it finds. */
export function openForWriting(file: string, trust: 'checked' | 'unchecked' = 'checked'): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true })
  const isNew = !existsSync(file)
  return withCorruptionError(file, () => {
    const db = new Sqlite(file)
    db.pragma('busy_timeout = 5000')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`)
    db.pragma('foreign_keys = ON')
    if (!isNew && trust === 'checked') assertIntact(db, file)
    return db
  })
}

/** Opens a read-only connection. Throws a DatabaseError when the file is not a database. */
export function openForReading(file: string): Sqlite.Database {
  return withCorruptionError(file, () => {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true })
    db.pragma('busy_timeout = 5000')
    return db
  })
}

function assertIntact(db: Sqlite.Database, file: string): void {
  if (statSync(file).size > MAX_CHECKED_BYTES) return
  const checkResult = db.pragma('quick_check(1)', { simple: true })
  if (checkResult !== 'ok') throw new DatabaseError(damagedMessage(file, String(checkResult)))
}

function withCorruptionError<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
      throw new DatabaseError(damagedMessage(file, error.message))
    }
    throw error
  }
}

function damagedMessage(file: string, cause: string): string {
  return `The database ${file} is damaged (${cause.replace(/\s+/g, ' ')}). It was left as it is. Move it away and restore a backup: npm run admin -- restore <file>`
}
