import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

const setVersion = 'begin update roomListVersion set version = random() >> 11; end'

/**
 * A version that changes with the list of rooms, so that it is read again only then. It is random, because a former
 * primary may have lost a change that was numbered like a later one; shifted, it is exact as a JavaScript number.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table roomListVersion (
      id integer primary key check (id = 1),
      version integer not null
    ) strict`.compile(db),
    sql`insert into roomListVersion (id, version) values (1, 0)`.compile(db),
    ...['insert', 'delete', 'update of name, isList, isActive'].map((change, index) =>
      sql.raw(`create trigger roomListChanged${index} after ${change} on room ${setVersion}`).compile(db),
    ),
  ],
}
