import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Whether the site is under maintenance. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table siteState (
      id integer primary key check (id = 1),
      maintenanceSince integer
    ) strict`.compile(db),
    sql`insert into siteState values (1, null)`.compile(db),
  ],
}
