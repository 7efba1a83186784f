import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * When the user of a ghost ban was last seen before it, as others are shown; null in bans from before. The time of the ban itself
 * would tell: a user who leaves was last seen by a job that runs every minute.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [sql`alter table ban add column seenAt integer`.compile(db)],
}
