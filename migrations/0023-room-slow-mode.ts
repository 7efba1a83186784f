import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * Slow mode of a room, and when its users last wrote while it was on. The rows are apart from the messages: an index of
 * messages by sender would cost every message, and removed messages still count.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table room add column slowModeSeconds integer not null default 0 check (slowModeSeconds >= 0)`.compile(
      db,
    ),
    sql`create table slowModeMessage (
      roomId integer not null references room (id),
      userId integer not null references user (id),
      sentAt integer not null,
      primary key (roomId, userId)
    ) strict, without rowid`.compile(db),
  ],
}
