import Sqlite from 'better-sqlite3'

/**
 * Whether a read came to nothing because the file was held for too long: LiteFS holds every reader up while it applies
 * a large transaction or a snapshot. What was to be read is there later.
 */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|PROTOCOL)/.test(error.code)
}
