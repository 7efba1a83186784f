import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The files that exist. Their bytes lie beside the database, named by their hash. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // Ids count up in the order of arrival: a region finds by them which files it lacks.
    // unreferencedSince: since when no row uses the file; null while one does.
    sql`create table file (
      id integer primary key,
      hash text not null,
      size integer not null,
      unreferencedSince integer,
      at integer not null
    ) strict`.compile(db),
    sql`create unique index fileByHash on file (hash)`.compile(db),
  ],
}
