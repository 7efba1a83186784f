import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Bans from the site, fingerprints of banned and of present guests, and removals of messages. */
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
    // Browsers and addresses are stored as keyed hashes: they can be compared and not be read.
    sql`create table banFingerprint (
      hash text not null,
      banId integer not null references ban (id),
      kind text not null check (kind in ('browser', 'address')),
      primary key (hash, banId)
    ) strict, without rowid`.compile(db),
    sql`create table guestFingerprint (
      userId integer primary key references user (id),
      browserHash text,
      addressHash text,
      lastSeenAt integer not null
    ) strict`.compile(db),
    sql`create index guestFingerprintByLastSeen on guestFingerprint (lastSeenAt)`.compile(db),
    // Messages of a room or of a sender, hidden at once and deleted in small steps.
    sql`create table removal (
      id integer primary key,
      roomId integer references room (id),
      senderId integer references user (id),
      upToId integer not null,
      check ((roomId is null) != (senderId is null))
    ) strict`.compile(db),
  ],
}
