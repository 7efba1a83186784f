import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The index of a room's messages has their audience: a read passes over those of ghosts without reading their rows. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`drop index messageByRoom`.compile(db),
    sql`create index messageByRoom on message (roomId, id, audience)`.compile(db),
  ],
}
