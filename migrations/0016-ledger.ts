import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * The double-entry ledger. Transactions and entries are append-only, and triggers keep each account's balance equal to
 * that after its last entry, so that no code can change one without the other.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // Only the bank may be negative: it is the money that people have paid in from outside.
    sql`create table ledgerAccount (
      id integer primary key,
      kind text not null,
      userId integer references user (id),
      balanceKurus integer not null default 0,
      check ((kind in ('loaded', 'earned')) = (userId is not null)),
      check (kind = 'bank' or balanceKurus >= 0),
      check (balanceKurus between -9007199254740991 and 9007199254740991)
    ) strict`.compile(db),
    sql`create unique index ledgerAccountOfUser on ledgerAccount (userId, kind) where userId is not null`.compile(db),
    sql`create unique index ledgerAccountOfSite on ledgerAccount (kind) where userId is null`.compile(db),
    sql`insert into ledgerAccount (kind) values
      ('bank'), ('roomIncome'), ('premiumIncome'), ('giftIncome'), ('withdrawals')`.compile(db),
    // referenceId: the room, request, gift or premium purchase. actorId: who caused it; null for a job.
    sql`create table ledgerTransaction (
      id integer primary key,
      kind text not null,
      referenceId integer not null,
      actorId integer references user (id),
      createdAt integer not null
    ) strict`.compile(db),
    // A second approval, return or order of the same thing fails here, whichever code tries it.
    sql`create unique index ledgerTransactionByReference on ledgerTransaction (referenceId, kind)
      where kind <> 'roomRenewal'`.compile(db),
    // balanceKurus: of the account after this entry.
    sql`create table ledgerEntry (
      transactionId integer not null references ledgerTransaction (id),
      accountId integer not null references ledgerAccount (id),
      amountKurus integer not null check (amountKurus <> 0),
      balanceKurus integer not null,
      primary key (transactionId, accountId)
    ) strict, without rowid`.compile(db),
    sql`create index ledgerEntryOfAccount on ledgerEntry (accountId, transactionId)`.compile(db),
    ...guards.map((guard) => sql.raw(guard).compile(db)),
  ],
}

const refuseChanges = ['ledgerTransaction', 'ledgerEntry'].flatMap((table) =>
  ['update', 'delete'].map(
    (change) => `create trigger ${table}No${change} before ${change} on ${table}
      begin select raise(abort, 'the ledger is append-only'); end`,
  ),
)

const guards = [
  ...refuseChanges,
  // `insert or replace` deletes the old row without a delete trigger.
  `create trigger ledgerTransactionIsNew before insert on ledgerTransaction
    when exists (select 1 from ledgerTransaction where id = new.id)
    begin select raise(abort, 'the ledger is append-only'); end`,
  `create trigger ledgerEntryIsNew before insert on ledgerEntry
    when new.transactionId <> (select max(id) from ledgerTransaction)
      or exists (select 1 from ledgerEntry where transactionId = new.transactionId and accountId = new.accountId)
    begin select raise(abort, 'the ledger is append-only'); end`,
  `create trigger ledgerEntryContinuesBalance before insert on ledgerEntry
    when new.balanceKurus <> new.amountKurus + (select balanceKurus from ledgerAccount where id = new.accountId)
    begin select raise(abort, 'an entry does not continue the balance of its account'); end`,
  `create trigger ledgerEntryKeepsBalance after insert on ledgerEntry
    begin update ledgerAccount set balanceKurus = new.balanceKurus where id = new.accountId; end`,
  `create trigger ledgerAccountStartsEmpty before insert on ledgerAccount when new.balanceKurus <> 0
      or exists (select 1 from ledgerAccount where id = new.id)
    begin select raise(abort, 'a new account has no balance'); end`,
  `create trigger ledgerAccountStays before update of id, kind, userId on ledgerAccount
    begin select raise(abort, 'an account keeps its owner'); end`,
  `create trigger ledgerAccountFollowsEntries before update of balanceKurus on ledgerAccount
    when new.balanceKurus is not (
      select balanceKurus from ledgerEntry where accountId = new.id order by transactionId desc limit 1
    )
    begin select raise(abort, 'a balance is changed by entries only'); end`,
  `create trigger ledgerAccountNodelete before delete on ledgerAccount
    begin select raise(abort, 'the ledger is append-only'); end`,
]
