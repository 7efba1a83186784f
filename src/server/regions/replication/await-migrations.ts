import Sqlite from 'better-sqlite3'
import { migrationState, type NumberedMigration } from '../../database/migrate.ts'
import { openForReading } from '../../database/open.ts'
import type { LiteFsClient } from '../litefs/litefs-client.ts'

export interface AwaitDatabaseOptions {
  litefs: LiteFsClient
  databaseFile: string
  /** Of this code, in order. */
  migrations: NumberedMigration[]
  /** Gives the wait up. */
  signal: AbortSignal
}

/** Should LiteFS not tell of something, it is found all the same. */
const POLL_MS = 250

/**
 * Waits until there is something to serve from: `ready`, a database that has everything that this code needs; or
 * `primary`, this region is the primary, and makes or migrates its database itself. Rejects with a DatabaseError when the
 * database needs newer code or is damaged, and with the signal's reason.
 */
export function waitForDatabase({
  litefs,
  databaseFile,
  migrations,
  signal,
}: AwaitDatabaseOptions): Promise<'primary' | 'ready'> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearInterval(timer)
      signal.removeEventListener('abort', giveUp)
      isSettled = true
      act()
    }
    const giveUp = () => settle(() => reject(signal.reason))
    const look = () => {
      if (isSettled) return
      if (litefs.leader().is === 'self') return settle(() => resolve('primary'))
      try {
        if (litefs.txid() !== '' && isDatabaseReady(databaseFile, migrations)) settle(() => resolve('ready'))
      } catch (error) {
        settle(() => reject(error))
      }
    }
    let isSettled = false
    const timer = setInterval(look, POLL_MS)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp)
    litefs.onLeaderChange(look)
    litefs.onTransaction(look)
    look()
  })
}

/**
 * A check for every transaction that arrives, cheap while nothing was migrated: it throws a DatabaseError once the
 * primary, on newer code, has brought the database to where this code cannot work with it.
 */
export function createMigrationCheck(db: Sqlite.Database, migrations: NumberedMigration[]): () => void {
  const newest = db.prepare('select max(id) from migration').pluck()
  let checked: unknown = null
  return () => {
    const id = newest.get()
    if (id === checked) return
    migrationState(db, migrations)
    checked = id
  }
}

function isDatabaseReady(databaseFile: string, migrations: NumberedMigration[]): boolean {
  try {
    const db = openForReading(databaseFile)
    try {
      return migrationState(db, migrations) === 'ready'
    } finally {
      db.close()
    }
  } catch (error) {
    // LiteFS is just putting it there.
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|CANTOPEN|IOERR|PROTOCOL)/.test(error.code)) return false
    throw error
  }
}
