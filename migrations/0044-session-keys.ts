import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * The key of a session changes at each refresh, and its id with what it may do. The browser's id is stored as a keyed hash;
 * the plain ones are deleted: they served retries within two minutes. `browserId` stays for regions with older code.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table session add column browserHash text`.compile(db),
    sql`update session set browserId = null where browserId is not null`.compile(db),
    // Tokens from before have key 0.
    sql`alter table session add column key integer not null default 0`.compile(db),
    sql`alter table session add column keyUsedAt integer default 0`.compile(db),
    sql`alter table session add column previousId integer`.compile(db),
    sql`create index sessionByPreviousId on session (previousId) where previousId is not null`.compile(db),
  ],
}
