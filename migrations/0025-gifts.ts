import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The catalogue of gifts, the recipients' part of a price, and the gifts that were given. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // drawing: the name of its picture below src/client/public/drawings/gifts.
    sql`create table giftKind (
      id integer primary key,
      name text not null,
      drawing text not null,
      priceKurus integer not null check (priceKurus > 0),
      status text not null check (status in ('active', 'inactive'))
    ) strict`.compile(db),
    sql`insert into giftKind (name, drawing, priceKurus, status) values
      ('Çay', 'cay', 500, 'active'),
      ('Gül', 'gul', 1000, 'active'),
      ('Lokum', 'lokum', 1500, 'active'),
      ('Türk kahvesi', 'kahve', 2000, 'active'),
      ('Balon', 'balon', 2500, 'active'),
      ('Pasta', 'pasta', 4000, 'active'),
      ('Kalp', 'kalp', 5000, 'active'),
      ('Yıldız', 'yildiz', 10000, 'active'),
      ('Taç', 'tac', 25000, 'active'),
      ('Yelkenli', 'yelkenli', 50000, 'active')`.compile(db),
    sql`create table giftTerms (
      id integer primary key check (id = 1),
      sharePercent integer not null check (sharePercent between 0 and 100)
    ) strict`.compile(db),
    sql`insert into giftTerms values (1, 70)`.compile(db),
    // priceKurus, shareKurus: what was paid, and the recipient's part of it. Rows are kept: the ledger names them.
    sql`create table gift (
      id integer primary key,
      giftKindId integer not null references giftKind (id),
      senderId integer not null references user (id),
      recipientId integer not null references user (id),
      roomId integer references room (id),
      priceKurus integer not null,
      shareKurus integer not null check (shareKurus between 0 and priceKurus),
      createdAt integer not null
    ) strict`.compile(db),
    sql`create index giftBySender on gift (senderId, id)`.compile(db),
    sql`create index giftByRecipient on gift (recipientId, id)`.compile(db),
    // How many gifts of a kind a user has received.
    sql`create table giftTotal (
      recipientId integer not null references user (id),
      giftKindId integer not null references giftKind (id),
      giftCount integer not null check (giftCount > 0),
      primary key (recipientId, giftKindId)
    ) strict, without rowid`.compile(db),
  ],
}
