import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Who has been in a room lately, for those who run it: the last entry of each user. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table roomVisit (
      roomId integer not null references room (id),
      userId integer not null references user (id),
      visitedAt integer not null,
      primary key (roomId, userId)
    ) strict, without rowid`.compile(db),
    sql`create index roomVisitByTime on roomVisit (roomId, visitedAt)`.compile(db),
    sql`create index roomVisitByAge on roomVisit (visitedAt)`.compile(db),
    sql`create index roomVisitByUser on roomVisit (userId)`.compile(db),
  ],
}
