import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The background of a room: the names of its two pictures below `/uploads/`, and the hash of the larger one. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    ...['backgroundImage', 'smallBackgroundImage', 'backgroundImageHash'].map((column) =>
      sql`alter table room add column ${sql.ref(column)} text`.compile(db),
    ),
    // Who may fetch a file, and whether it is in use, is asked by its name.
    ...['backgroundImage', 'smallBackgroundImage'].map((column) =>
      sql`create index ${sql.ref(`roomBy${column}`)} on room (${sql.ref(column)}) where ${sql.ref(column)} is not null`.compile(
        db,
      ),
    ),
  ],
}
