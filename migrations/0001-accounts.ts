import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** People, their sessions, the event log and the answers that make a retried command happen once. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table user (
      id integer primary key,
      username text not null,
      foldedName text not null,
      isGuest integer not null check (isGuest in (0, 1)),
      role text not null check (role in ('guest', 'member', 'rootadmin')),
      gender text check (gender in ('female', 'male', 'other')),
      avatarUrl text,
      passwordHash text,
      lastLoginPlatform text not null check (lastLoginPlatform in ('web', 'mobile')),
      premiumUntil integer,
      createdAt integer not null,
      lastSeenAt integer not null,
      nameReleasedAt integer
    ) strict`.compile(db),
    // A guest's name is free again once the guest is gone, so only names still held must differ.
    sql`create unique index userByHeldName on user (foldedName) where nameReleasedAt is null`.compile(db),
    sql`create index guestByLastSeen on user (lastSeenAt) where isGuest = 1 and nameReleasedAt is null`.compile(db),
    // Ids are drawn at random: after a restore or a lost primary a counted one could come twice, and an old token
    // would speak for somebody else.
    sql`create table session (
      id integer primary key,
      userId integer not null references user (id),
      browserId text,
      platform text not null,
      createdAt integer not null,
      lastSeenAt integer not null
    ) strict`.compile(db),
    sql`create index sessionByUser on session (userId)`.compile(db),
    sql`create index sessionByLastSeen on session (lastSeenAt)`.compile(db),
    sql`create table event (
      seq integer primary key,
      stream text not null,
      actorId integer,
      audience text,
      name text not null,
      payload blob not null,
      at integer not null
    ) strict`.compile(db),
    sql`create index eventByStream on event (stream, seq)`.compile(db),
    sql`create table eventGap (fromSeq integer primary key, toSeq integer not null) strict`.compile(db),
    sql`create table commandAnswer (
      userId integer not null,
      clientId text not null,
      inputHash blob not null,
      answer text not null,
      expiresAt integer,
      primary key (userId, clientId)
    ) strict, without rowid`.compile(db),
    sql`create index commandAnswerByExpiry on commandAnswer (expiresAt) where expiresAt is not null`.compile(db),
  ],
}
