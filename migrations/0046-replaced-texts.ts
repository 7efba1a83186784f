import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** A retry of a message is known by its key alone: what was replaced is not kept any more. A later release drops the table. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [sql`delete from replacedText`.compile(db)],
}
