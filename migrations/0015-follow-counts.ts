import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

const COLUMNS = { followerCount: 'followingId', followingCount: 'followerId' }

/** Counts a follow on both sides; a user's row is created by the first one. */
const countNew = Object.entries(COLUMNS).map(
  ([column, side]) =>
    `insert into followCount (userId, ${column}) values (new.${side}, 1)
       on conflict do update set ${column} = ${column} + 1;`,
)
const uncountOld = Object.entries(COLUMNS).map(
  ([column, side]) => `update followCount set ${column} = max(0, ${column} - 1) where userId = old.${side};`,
)

/** How many users follow each user and are followed by them, kept by triggers: counting 100,000 rows takes milliseconds. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table followCount (
      userId integer primary key,
      followerCount integer not null default 0 check (followerCount >= 0),
      followingCount integer not null default 0 check (followingCount >= 0)
    ) strict`.compile(db),
    sql`insert into followCount (userId, followerCount, followingCount)
      select id, (select count(*) from follow where followingId = user.id and isAccepted = 1),
        (select count(*) from follow where followerId = user.id and isAccepted = 1)
      from user where id in (select followingId from follow union select followerId from follow)`.compile(db),
    sql
      .raw(`create trigger followAdded after insert on follow when new.isAccepted = 1
      begin ${countNew.join(' ')} end`)
      .compile(db),
    sql
      .raw(`create trigger followDeleted after delete on follow when old.isAccepted = 1
      begin ${uncountOld.join(' ')} end`)
      .compile(db),
    sql
      .raw(`create trigger followAccepted after update of isAccepted on follow when old.isAccepted = 0 and new.isAccepted = 1
      begin ${countNew.join(' ')} end`)
      .compile(db),
    sql
      .raw(`create trigger followSuspended after update of isAccepted on follow when old.isAccepted = 1 and new.isAccepted = 0
      begin ${uncountOld.join(' ')} end`)
      .compile(db),
    sql`create index roomByOwner on room (ownerId, isActive, isList, id) where ownerId is not null`.compile(db),
  ],
}
