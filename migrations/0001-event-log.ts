import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * The event log, its gaps, and the stored answers by which a retried command happens once. The log has no index by
 * stream: a replay reads few enough numbers of the key, and an index would cost every event.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table event (
      seq integer primary key,
      stream text not null,
      actorId integer,
      audience text,
      name text not null,
      payload blob not null,
      at integer not null
    ) strict`.compile(db),
    sql`create table eventGap (fromSeq integer primary key, toSeq integer not null) strict`.compile(db),
    sql`create table commandAnswer (
      userId integer not null,
      clientId text not null,
      inputHash blob not null,
      answer text not null,
      expiresAt integer not null,
      primary key (userId, clientId)
    ) strict, without rowid`.compile(db),
    sql`create index commandAnswerByExpiry on commandAnswer (expiresAt)`.compile(db),
  ],
}
