import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** Rooms, their admins and what is said in them. */
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
    sql`create table message (
      id integer primary key,
      roomId integer not null references room (id),
      senderId integer not null references user (id),
      content text not null,
      run integer not null,
      audience text,
      clientId text not null,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create index messageByRoom on message (roomId, id)`.compile(db),
  ],
}
