import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Rooms and their admins. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table room (
      id integer primary key,
      name text not null,
      foldedName text not null,
      greetingMessage text,
      capacity integer not null,
      isList integer not null check (isList in (0, 1)),
      isActive integer not null check (isActive in (0, 1)),
      ownerId integer references user (id),
      createdAt integer not null,
      updatedAt integer not null,
      expiryDate integer
    ) strict`.compile(db),
    sql`create unique index roomByName on room (foldedName)`.compile(db),
    sql`create table roomAdmin (
      roomId integer not null references room (id),
      userId integer not null references user (id),
      primary key (roomId, userId)
    ) strict, without rowid`.compile(db),
  ],
}
