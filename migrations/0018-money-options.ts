import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Amounts to load and to withdraw, premium's price and the site's bank account, with their first values (docs/product.md, "Money"). */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // A deleted option keeps its row, so that its id is never given again.
    ...['starOption', 'withdrawalOption'].flatMap((table) => [
      sql`create table ${sql.table(table)} (
        id integer primary key,
        amountKurus integer not null check (amountKurus > 0),
        status text not null check (status in ('active', 'inactive')),
        deletedAt integer
      ) strict`.compile(db),
      sql`insert into ${sql.table(table)} (amountKurus, status)
        values (5000, 'active'), (10000, 'active'), (25000, 'active'), (50000, 'active'), (100000, 'active')`.compile(
        db,
      ),
    ]),
    sql`create table premiumTerms (
      id integer primary key check (id = 1),
      priceKurus integer not null check (priceKurus > 0),
      days integer not null check (days > 0)
    ) strict`.compile(db),
    sql`insert into premiumTerms values (1, 5000, 30)`.compile(db),
    // No row until root admins set the account.
    sql`create table bankDetails (
      id integer primary key check (id = 1),
      bankName text not null,
      accountHolder text not null,
      iban text not null
    ) strict`.compile(db),
  ],
}
