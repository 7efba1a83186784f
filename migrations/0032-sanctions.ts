import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Warnings, mutes and removed messages. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table warning (
      id integer primary key,
      userId integer not null references user (id),
      text text not null,
      warnedById integer not null references user (id),
      at integer not null,
      confirmedAt integer,
      withdrawnAt integer
    ) strict`.compile(db),
    sql`create index warningOpen on warning (userId, id) where confirmedAt is null and withdrawnAt is null`.compile(db),
    // roomId: null for the whole site. sourceId: the mute that this one repeats for another account.
    sql`create table mute (
      id integer primary key,
      userId integer not null references user (id),
      roomId integer references room (id),
      reason text not null,
      duration text not null check (duration in ('10min', '1hr', 'indefinite')),
      mutedById integer not null references user (id),
      at integer not null,
      endsAt integer,
      liftedAt integer,
      liftedById integer references user (id),
      sourceId integer references mute (id)
    ) strict`.compile(db),
    sql`create index muteByUser on mute (userId, roomId) where liftedAt is null`.compile(db),
    sql`create index muteByRoom on mute (roomId, id) where liftedAt is null`.compile(db),
    sql`create index muteBySource on mute (sourceId) where sourceId is not null`.compile(db),
    // Browsers and addresses are stored as keyed hashes, as in banFingerprint.
    sql`create table muteFingerprint (
      hash text not null,
      muteId integer not null references mute (id),
      kind text not null check (kind in ('browser', 'address')),
      primary key (hash, muteId)
    ) strict, without rowid`.compile(db),
    // A removed message keeps its row without text, file and quote; what it had is here for 30 days.
    sql`alter table message add column isRemoved integer not null default 0 check (isRemoved in (0, 1))`.compile(db),
    sql`alter table directMessage add column isRemoved integer not null default 0 check (isRemoved in (0, 1))`.compile(
      db,
    ),
    sql`create table removedMessage (
      type text not null check (type in ('roomMessage', 'directMessage')),
      messageId integer not null,
      senderId integer not null references user (id),
      content text not null,
      mediaId integer,
      replyToId integer,
      removedById integer not null references user (id),
      removedAt integer not null,
      primary key (type, messageId)
    ) strict, without rowid`.compile(db),
    sql`create index removedMessageByTime on removedMessage (removedAt)`.compile(db),
    sql`create index removedMessageBySender on removedMessage (senderId)`.compile(db),
    sql`create index removedMessageByMedia on removedMessage (type, mediaId) where mediaId is not null`.compile(db),
  ],
}
