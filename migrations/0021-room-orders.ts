import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Purchases of rooms: orders and renewals; and indexes for the rooms of an admin and for the expiry. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // What was bought, as it was then: options change and disappear. Rows are never deleted.
    sql`create table roomOrder (
      id integer primary key,
      roomId integer not null references room (id),
      userId integer not null references user (id),
      isRenewal integer not null check (isRenewal in (0, 1)),
      capacityOptionId integer not null,
      durationOptionId integer not null,
      capacity integer not null check (capacity > 0),
      months integer not null check (months > 0),
      discountBasisPoints integer not null check (discountBasisPoints between 0 and 10000),
      priceKurus integer not null check (priceKurus >= 0),
      createdAt integer not null,
      expiryDate integer not null
    ) strict`.compile(db),
    sql`create index roomOrderByRoom on roomOrder (roomId, id)`.compile(db),
    sql`create index roomAdminByUser on roomAdmin (userId, roomId)`.compile(db),
    sql`create index roomByExpiry on room (isActive, expiryDate) where expiryDate is not null`.compile(db),
  ],
}
