import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Drops indexes that no query reads: the limits of senders are counted in memory, and files are found by their clientId. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) =>
    ['directMessageBySender', 'directMediaByOwner'].map((index) => sql`drop index ${sql.ref(index)}`.compile(db)),
}
