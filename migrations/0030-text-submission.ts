import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Which messages were stored with another text than they were sent with. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table replacedText (
      senderId integer not null references user (id),
      clientId text not null,
      textHash blob not null,
      replacedAt integer not null,
      primary key (senderId, clientId)
    ) strict, without rowid`.compile(db),
    sql`create index replacedTextByTime on replacedText (replacedAt)`.compile(db),
  ],
}
