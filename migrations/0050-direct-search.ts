import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** The search index of direct messages, as that of rooms (0004). `indexMessages` fills it, also with the messages that are there. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create virtual table directMessageWord using fts5(
      words, content='', contentless_delete=1, detail=none, tokenize='ascii'
    )`.compile(db),
    sql`create virtual table directMessageTerm using fts5vocab(directMessageWord, row)`.compile(db),
    sql`create table directMessageIndex (
      id integer primary key check (id = 1),
      indexedUpToId integer not null
    ) strict`.compile(db),
    sql`insert into directMessageIndex values (1, 0)`.compile(db),
    sql`create trigger directMessageDeleted after delete on directMessage begin
      delete from directMessageWord where rowid = old.id;
      update directMessageIndex set indexedUpToId = (select coalesce(max(id), 0) from directMessage)
        where indexedUpToId > (select coalesce(max(id), 0) from directMessage);
    end`.compile(db),
    sql`create trigger directMessageContentUpdated after update of content on directMessage begin
      delete from directMessageWord where rowid = old.id;
    end`.compile(db),
  ],
}
