import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** Who is banned from the site, what was taken out of rooms, and whether the site is under maintenance. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table ban (
      id integer primary key,
      userId integer not null references user (id),
      reason text not null,
      duration text not null check (duration in ('10min', '1hr', 'indefinite')),
      bannedById integer not null references user (id),
      at integer not null,
      endsAt integer,
      liftedAt integer,
      liftedById integer references user (id)
    ) strict`.compile(db),
    sql`create index banByUser on ban (userId) where liftedAt is null`.compile(db),
    // Browsers and addresses are kept as keyed hashes only: they can be compared, and say nothing.
    sql`create table banMark (
      mark text not null,
      banId integer not null references ban (id),
      kind text not null check (kind in ('browser', 'address')),
      primary key (mark, banId)
    ) strict, without rowid`.compile(db),
    sql`create table guestDoor (
      userId integer primary key references user (id),
      browserMark text,
      addressMark text,
      notedAt integer not null
    ) strict`.compile(db),
    sql`create index guestDoorByNoted on guestDoor (notedAt)`.compile(db),
    // What is to be deleted step by step, and is shown to nobody from now on: of a room, or of a sender everywhere.
    sql`create table removal (
      id integer primary key,
      roomId integer references room (id),
      senderId integer references user (id),
      upToId integer not null,
      check ((roomId is null) != (senderId is null))
    ) strict`.compile(db),
    sql`create index messageBySender on message (senderId, roomId)`.compile(db),
    sql`create table siteState (
      id integer primary key check (id = 1),
      maintenanceSince integer
    ) strict`.compile(db),
    sql`insert into siteState values (1, null)`.compile(db),
  ],
}
