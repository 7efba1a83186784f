import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * Ghost bans: bans of kind 'ghost', those that repeat one for other guests from the same browser or address, and the flag
 * that everything asks. Older code, which runs during an upgrade, takes a ghost ban for a ban from the site.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table ban add column kind text not null default 'site' check (kind in ('site', 'ghost'))`.compile(db),
    sql`alter table ban add column sourceId integer references ban (id)`.compile(db),
    sql`create index banBySource on ban (sourceId) where sourceId is not null`.compile(db),
    sql`alter table user add column isGhost integer not null default 0 check (isGhost in (0, 1))`.compile(db),
    sql`create index userGhost on user (id) where isGhost = 1`.compile(db),
  ],
}
