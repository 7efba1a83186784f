import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The capacities and durations that a room can be ordered with, and their first values (docs/product.md, "Money"). */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // A deleted option keeps its row, so that its id is never given again.
    sql`create table capacityOption (
      id integer primary key,
      numberOfPeople integer not null check (numberOfPeople > 0),
      priceKurus integer not null check (priceKurus > 0),
      deletedAt integer
    ) strict`.compile(db),
    sql`insert into capacityOption (numberOfPeople, priceKurus)
      values (25, 10000), (50, 17500), (100, 30000), (250, 60000), (500, 100000)`.compile(db),
    sql`create table durationOption (
      id integer primary key,
      durationInMonths integer not null check (durationInMonths > 0),
      discountBasisPoints integer not null check (discountBasisPoints between 0 and 10000),
      deletedAt integer
    ) strict`.compile(db),
    sql`insert into durationOption (durationInMonths, discountBasisPoints)
      values (1, 0), (3, 1000), (6, 2000), (12, 3000)`.compile(db),
  ],
}
