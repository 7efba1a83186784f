import Sqlite from 'better-sqlite3'

/**
 * Whether a read timed out on a lock: LiteFS blocks readers while it applies a large transaction or a snapshot. A later
 * retry succeeds.
 */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|PROTOCOL)/.test(error.code)
}
