import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Who may write to a room, and who may send media to it. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) =>
    ['messagePreference', 'mediaPreference'].map((column) =>
      sql`alter table room add column ${sql.ref(column)} text not null default 'everyone'
        check (${sql.ref(column)} in ('everyone', 'members', 'premium', 'admins'))`.compile(db),
    ),
}
