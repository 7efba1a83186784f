import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'

/** The file cannot be used as it is; the message says why and what to do. It is never overwritten. */
export class DatabaseError extends Error {}

/** Up to this size the whole file is checked at start; it takes about 0.2 s there. */
const CHECKED_BYTES = 64 * 1024 * 1024

/** The connection that writes. Throws a DatabaseError for a damaged file, as far as it is `checked`. */
export function openForWriting(file: string, trust: 'checked' | 'unchecked' = 'checked'): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true })
  const isNew = !existsSync(file)
  return guarded(file, () => {
    const db = new Sqlite(file)
    db.pragma('busy_timeout = 5000')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    if (!isNew && trust === 'checked') check(db, file)
    return db
  })
}

/** A connection that only reads. Throws a DatabaseError for a damaged file. */
export function openForReading(file: string): Sqlite.Database {
  return guarded(file, () => {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true })
    db.pragma('busy_timeout = 5000')
    return db
  })
}

function check(db: Sqlite.Database, file: string): void {
  if (statSync(file).size > CHECKED_BYTES) return
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new DatabaseError(damaged(file, String(found)))
}

function guarded<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
      throw new DatabaseError(damaged(file, error.message))
    }
    throw error
  }
}

function damaged(file: string, what: string): string {
  return `The database ${file} is damaged (${what.replace(/\s+/g, ' ')}). It was left as it is. Move it away and restore a backup: npm run admin -- restore <file>`
}
