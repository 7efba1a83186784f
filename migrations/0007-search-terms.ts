import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** The words that the index has, in order: a look at it, which keeps nothing of its own. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [sql`create virtual table messageTerm using fts5vocab(messageWord, row)`.compile(db)],
}
