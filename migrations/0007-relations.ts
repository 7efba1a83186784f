import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Who has blocked whom, and who follows whom. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table block (
      blockerId integer not null references user (id),
      blockedId integer not null references user (id),
      createdAt integer not null,
      primary key (blockerId, blockedId),
      check (blockerId != blockedId)
    ) strict, without rowid`.compile(db),
    sql`create index blockByBlocked on block (blockedId, blockerId)`.compile(db),
    // at: when it was accepted, or asked for while it is pending.
    sql`create table follow (
      followerId integer not null references user (id),
      followingId integer not null references user (id),
      isAccepted integer not null check (isAccepted in (0, 1)),
      at integer not null,
      primary key (followerId, followingId),
      check (followerId != followingId)
    ) strict, without rowid`.compile(db),
    sql`create index followByFollower on follow (followerId, isAccepted, at, followingId)`.compile(db),
    sql`create index followByFollowing on follow (followingId, isAccepted, at, followerId)`.compile(db),
  ],
}
