import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Loads of balance and withdrawals that users ask for, which root admins decide. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // senderName: of a load. iban, firstName, lastName: of a withdrawal.
    sql`create table moneyRequest (
      id integer primary key,
      kind text not null check (kind in ('star', 'withdrawal')),
      userId integer not null references user (id),
      amountKurus integer not null check (amountKurus > 0),
      status text not null check (status in ('pending', 'approved', 'rejected')),
      senderName text,
      iban text,
      firstName text,
      lastName text,
      createdAt integer not null,
      decidedAt integer,
      decidedBy integer references user (id),
      check ((kind = 'star') = (senderName is not null)),
      check ((kind = 'withdrawal') = (iban is not null)),
      check ((iban is null) = (firstName is null) and (iban is null) = (lastName is null)),
      check ((status = 'pending') = (decidedAt is null)),
      check ((decidedAt is null) = (decidedBy is null))
    ) strict`.compile(db),
    sql`create index moneyRequestByUser on moneyRequest (userId, kind, createdAt, id)`.compile(db),
    sql`create index moneyRequestPending on moneyRequest (userId, kind) where status = 'pending'`.compile(db),
    // For the lists of root admins.
    sql`create index moneyRequestByTime on moneyRequest (createdAt, id)`.compile(db),
    sql`create index moneyRequestByStatus on moneyRequest (kind, status, createdAt, id)`.compile(db),
    // A decision stands, and an amount stays as it was asked for, whichever code tries to change it.
    sql`create trigger moneyRequestIsDecidedOnce before update of status, decidedAt, decidedBy on moneyRequest
      when old.status <> 'pending'
      begin select raise(abort, 'the request is decided'); end`.compile(db),
    sql`create trigger moneyRequestStays before update of id, kind, userId, amountKurus, createdAt on moneyRequest
      begin select raise(abort, 'a request does not change'); end`.compile(db),
  ],
}
