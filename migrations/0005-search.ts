import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/**
 * The words of messages, by which they are found. The index keeps no text (`content=''`) and no places within one
 * (`detail=none`); it is filled by the command `indexMessages`, which goes up from `indexedTo`, old messages first.
 * What is taken away from `message`, by whatever command, is out of the index in the same transaction.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // The words come folded and apart (src/shared/text/search-words.ts), so nothing has to be known of letters here.
    sql`create virtual table messageWord using fts5(
      words, content='', contentless_delete=1, detail=none, tokenize='ascii'
    )`.compile(db),
    sql`create table messageIndex (
      id integer primary key check (id = 1),
      indexedTo integer not null
    ) strict`.compile(db),
    sql`insert into messageIndex values (1, 0)`.compile(db),
    // The id of the newest message is given again when that message goes, so what comes next is to be indexed too.
    sql`create trigger messageTakenAway after delete on message begin
      delete from messageWord where rowid = old.id;
      update messageIndex set indexedTo = (select coalesce(max(id), 0) from message)
        where indexedTo > (select coalesce(max(id), 0) from message);
    end`.compile(db),
    sql`create trigger messageChanged after update of content on message begin
      delete from messageWord where rowid = old.id;
    end`.compile(db),
  ],
}
