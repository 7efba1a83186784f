import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'

/** The file cannot be used as it is; the message says why and what to do. It is never overwritten. */
export class DatabaseError extends Error {}

/** Up to this size the whole file is checked at start; it takes about 0.2 s there. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024

/** The connection that writes. Throws a DatabaseError for a damaged file, as far as it is `checked`. */
export function openForWriting(file: string, trust: 'checked' | 'unchecked' = 'checked'): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true })
  const isNew = !existsSync(file)
  return withCorruptionError(file, () => {
    const db = new Sqlite(file)
    db.pragma('busy_timeout = 5000')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    if (!isNew && trust === 'checked') assertIntact(db, file)
    return db
  })
}

/** A connection that only reads. Throws a DatabaseError for a damaged file. */
export function openForReading(file: string): Sqlite.Database {
  return withCorruptionError(file, () => {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true })
    db.pragma('busy_timeout = 5000')
    return db
  })
}

function assertIntact(db: Sqlite.Database, file: string): void {
  if (statSync(file).size > MAX_CHECKED_BYTES) return
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new DatabaseError(damagedMessage(file, String(found)))
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

function damagedMessage(file: string, what: string): string {
  return `The database ${file} is damaged (${what.replace(/\s+/g, ' ')}). It was left as it is. Move it away and restore a backup: npm run admin -- restore <file>`
}
