import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

const COLUMNS = { followerCount: 'followingId', followingCount: 'followerId' }

const countNew = Object.entries(COLUMNS).map(
  ([column, side]) =>
    `insert into followCount (userId, ${column}) values (new.${side}, 1)
       on conflict do update set ${column} = ${column} + 1;`,
)
const uncountOld = Object.entries(COLUMNS).map(
  ([column, side]) => `update followCount set ${column} = max(0, ${column} - 1) where userId = old.${side};`,
)
const TRIGGERS = {
  followAdded: `after insert on follow when new.isAccepted = 1 and new.audience is null
    begin ${countNew.join(' ')} end`,
  followDeleted: `after delete on follow when old.isAccepted = 1 and old.audience is null
    begin ${uncountOld.join(' ')} end`,
  followAccepted: `after update of isAccepted on follow when old.isAccepted = 0 and new.isAccepted = 1 and new.audience is null
    begin ${countNew.join(' ')} end`,
  followSuspended: `after update of isAccepted on follow when old.isAccepted = 1 and new.isAccepted = 0 and new.audience is null
    begin ${uncountOld.join(' ')} end`,
}

/** For whom a follow is: `actor`: for the follower and root admins; null: for all. The counts are of those for all. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table follow add column audience text check (audience in ('actor'))`.compile(db),
    sql`create index followHiddenByFollower on follow (followerId, followingId) where audience is not null`.compile(db),
    sql`create index followHiddenByFollowing on follow (followingId, followerId) where audience is not null`.compile(
      db,
    ),
    ...Object.entries(TRIGGERS).flatMap(([name, body]) => [
      sql.raw(`drop trigger ${name}`).compile(db),
      sql.raw(`create trigger ${name} ${body}`).compile(db),
    ]),
  ],
}
