import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** A running site, in a process of its own (`site-process.ts`) or in the test's (`test-site.ts`). */
export interface Site {
  readonly origin: string
  readonly dataFolder: string
  /** Creates a root admin, who has no chat limits; returns the password. */
  createRootAdmin(username: string): Promise<string>
  /** Changes the database past the commands, in one transaction and without events. Throws while another process has it open. */
  changeDatabase<T>(change: (db: Sqlite.Database) => T): T
}

/** Runs one statement past the commands. */
export function updateSiteDatabase(site: Site, sql: string, ...values: unknown[]): void {
  site.changeDatabase((db) => db.prepare(sql).run(...values))
}

/** The first value of the first row. */
export function readSiteDatabase(site: Site, sql: string, ...values: unknown[]): unknown {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true, timeout: 5_000 })
  const value = db
    .prepare(sql)
    .pluck()
    .get(...values)
  db.close()
  return value
}
