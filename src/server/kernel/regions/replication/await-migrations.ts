import Sqlite from 'better-sqlite3'
import { migrationState, type NumberedMigration } from '../../database/migrate.ts'
import { openForReading } from '../../database/open.ts'
import type { LiteFsClient } from '../litefs/litefs-client.ts'

export interface AwaitDatabaseOptions {
  litefs: LiteFsClient
  databaseFile: string
  /** Of this code, in order. */
  migrations: NumberedMigration[]
  /** Aborts the wait. */
  signal: AbortSignal
}

/** Covers events that LiteFS does not announce. */
const POLL_MS = 250

/**
 * Waits for a database. `ready`: the database has every migration of this code; `primary`: this region is the primary and
 * creates or migrates the database itself. Rejects with a DatabaseError when the database needs newer code or is damaged,
 * and with the signal's reason.
 */
export function waitForDatabase({
  litefs,
  databaseFile,
  migrations,
  signal,
}: AwaitDatabaseOptions): Promise<'primary' | 'ready'> {
  return new Promise((resolve, reject) => {
    const finish = (settlePromise: () => void) => {
      clearInterval(timer)
      signal.removeEventListener('abort', abort)
      isFinished = true
      settlePromise()
    }
    const abort = () => finish(() => reject(signal.reason))
    const check = () => {
      if (isFinished) return
      if (litefs.leader().is === 'self') return finish(() => resolve('primary'))
      try {
        if (litefs.txid() !== '' && isDatabaseReady(databaseFile, migrations)) finish(() => resolve('ready'))
      } catch (error) {
        finish(() => reject(error))
      }
    }
    let isFinished = false
    const timer = setInterval(check, POLL_MS)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    litefs.onLeaderChange(check)
    litefs.onTransaction(check)
    check()
  })
}

/**
 * A check to run for every replicated transaction; it reads one row while no migration arrived. It throws a DatabaseError
 * once a primary on newer code has migrated the database beyond what this code supports.
 */
export function createMigrationCheck(db: Sqlite.Database, migrations: NumberedMigration[]): () => void {
  const newest = db.prepare('select max(id) from migration').pluck()
  let checkedId: unknown = null
  return () => {
    const id = newest.get()
    if (id === checkedId) return
    migrationState(db, migrations)
    checkedId = id
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
    // LiteFS is still writing the file.
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|CANTOPEN|IOERR|PROTOCOL)/.test(error.code)) return false
    throw error
  }
}
