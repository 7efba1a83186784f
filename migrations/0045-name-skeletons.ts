import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * What names look like, so that a look-alike is found by one search; several names that stand already may have the same. A job
 * fills in the rows that have none, also those of regions with older code.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table user add column skeleton text`.compile(db),
    sql`create index userBySkeleton on user (skeleton) where nameReleasedAt is null`.compile(db),
    sql`create index userWithoutSkeleton on user (id) where skeleton is null and nameReleasedAt is null`.compile(db),
    sql`alter table room add column skeleton text`.compile(db),
    sql`create index roomBySkeleton on room (skeleton)`.compile(db),
  ],
}
