import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** Which message a message answers. No foreign key: an answer stays, and says so, when what it answers is taken away. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [sql`alter table message add column replyToId integer`.compile(db)],
}
