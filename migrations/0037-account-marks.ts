import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Which browsers and addresses an account has used lately, as keyed hashes. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table accountMark (
      userId integer not null references user (id),
      kind text not null check (kind in ('browser', 'address')),
      hash text not null,
      firstSeenAt integer not null,
      lastSeenAt integer not null,
      primary key (userId, kind, hash)
    ) strict, without rowid`.compile(db),
    sql`create index accountMarkByHash on accountMark (hash, lastSeenAt)`.compile(db),
    sql`create index accountMarkByLastSeen on accountMark (lastSeenAt)`.compile(db),
    sql`create index banFingerprintByBan on banFingerprint (banId)`.compile(db),
  ],
}
