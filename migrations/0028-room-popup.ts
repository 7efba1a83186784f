import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The last popup of a room by those who run it: when it was sent, and its picture, which is kept until the next one. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table roomPopup (
      roomId integer primary key references room (id),
      sentAt integer not null,
      picture text
    ) strict`.compile(db),
    sql`create index roomPopupByPicture on roomPopup (picture) where picture is not null`.compile(db),
  ],
}
