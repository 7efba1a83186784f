import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Premium that was bought, and which state of it the site has shown last. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table premiumPurchase (
      id integer primary key,
      userId integer not null references user (id),
      priceKurus integer not null check (priceKurus > 0),
      days integer not null check (days > 0),
      premiumUntil integer not null,
      createdAt integer not null
    ) strict`.compile(db),
    sql`create index premiumPurchaseByUser on premiumPurchase (userId, id)`.compile(db),
    // The state that the last userProfileUpdated showed. A job sends the next one when time has changed the state.
    sql`alter table user add column isShownPremium integer not null default 0 check (isShownPremium in (0, 1))`.compile(
      db,
    ),
    sql`create index userByPremiumEnd on user (isShownPremium, premiumUntil) where premiumUntil is not null`.compile(
      db,
    ),
  ],
}
