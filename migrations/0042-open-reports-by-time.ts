import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Finds open reports that wait for too long. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create index reportOpenByTime on report (createdAt, id) where isOpen = 1`.compile(db),
  ],
}
