import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** Which files there are. Their bytes lie beside the database, named by their hash. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // The id is the order in which they came, by which a region finds out what it has not got yet.
    sql`create table file (
      id integer primary key,
      hash text not null,
      size integer not null,
      at integer not null
    ) strict`.compile(db),
    sql`create unique index fileByHash on file (hash)`.compile(db),
  ],
}
