import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** Who has blocked whom. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table block (
      blockerId integer not null references user (id),
      blockedId integer not null references user (id),
      createdAt integer not null,
      primary key (blockerId, blockedId),
      check (blockerId != blockedId)
    ) strict, without rowid`.compile(db),
    sql`create index blockByBlocked on block (blockedId, blockerId)`.compile(db),
  ],
}
