import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** When an uploaded file is deleted, and whether a report keeps it. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table directMedia add column clientId text`.compile(db),
    // expiresAt: the row is deleted then; null while a message uses the file, or a report keeps it.
    sql`alter table directMedia add column expiresAt integer`.compile(db),
    sql`alter table directMedia add column isReported integer not null default 0 check (isReported in (0, 1))`.compile(
      db,
    ),
    sql`create unique index directMediaByClientId on directMedia (ownerId, clientId) where clientId is not null`.compile(
      db,
    ),
    sql`create index directMediaByExpiry on directMedia (expiresAt) where expiresAt is not null`.compile(db),
  ],
}
