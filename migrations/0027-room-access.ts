import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Passwords of rooms, the sessions that have entered them, and bans from rooms. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table room add column passwordHash text`.compile(db),
    // The sessions that gave the present password of a room.
    sql`create table roomGrant (
      roomId integer not null references room (id),
      sessionId integer not null references session (id) on delete cascade,
      userId integer not null references user (id),
      primary key (roomId, sessionId)
    ) strict, without rowid`.compile(db),
    sql`create index roomGrantBySession on roomGrant (sessionId)`.compile(db),
    sql`create index roomGrantByUser on roomGrant (roomId, userId)`.compile(db),
    sql`create table roomBan (
      id integer primary key,
      roomId integer not null references room (id),
      userId integer not null references user (id),
      reason text not null,
      duration text not null check (duration in ('10min', '1hr', 'indefinite')),
      bannedById integer not null references user (id),
      at integer not null,
      endsAt integer,
      liftedAt integer,
      liftedById integer references user (id),
      sourceId integer references roomBan (id)
    ) strict`.compile(db),
    sql`create index roomBanByRoomAndUser on roomBan (roomId, userId) where liftedAt is null`.compile(db),
    sql`create index roomBanBySource on roomBan (sourceId) where sourceId is not null`.compile(db),
    // Browsers and addresses of banned guests, as in banFingerprint.
    sql`create table roomBanFingerprint (
      hash text not null,
      banId integer not null references roomBan (id),
      kind text not null check (kind in ('browser', 'address')),
      primary key (hash, banId)
    ) strict, without rowid`.compile(db),
    // Messages of one sender in one room that are hidden at once and deleted in steps, as in removal.
    sql`create table roomSenderRemoval (
      id integer primary key,
      roomId integer not null references room (id),
      senderId integer not null references user (id),
      upToId integer not null
    ) strict`.compile(db),
    sql`create index roomSenderRemovalByRoom on roomSenderRemoval (roomId, senderId)`.compile(db),
  ],
}
