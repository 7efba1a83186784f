import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * Messages and their search index. The index keeps no text (`content=''`) and no positions (`detail=none`). The
 * command `indexMessages` fills it upwards from `indexedUpToId`. Triggers remove a deleted or changed message from
 * the index in the same transaction.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // replyToId has no foreign key: a reply stays when the message that it answers is removed.
    sql`create table message (
      id integer primary key,
      roomId integer not null references room (id),
      senderId integer not null references user (id),
      content text not null,
      consecutiveCount integer not null,
      audience text,
      clientId text not null,
      createdAt integer not null,
      replyToId integer
    ) strict`.compile(db),
    sql`create index messageByRoom on message (roomId, id)`.compile(db),
    // A retry is found by its first two columns; with the third it covers the search for a sender's rooms.
    sql`create unique index messageByClientId on message (senderId, clientId, roomId)`.compile(db),
    // Words arrive folded and separated (src/shared/text/search-words.ts), so a plain tokenizer is enough.
    sql`create virtual table messageWord using fts5(
      words, content='', contentless_delete=1, detail=none, tokenize='ascii'
    )`.compile(db),
    // A view of the index: its words in order.
    sql`create virtual table messageTerm using fts5vocab(messageWord, row)`.compile(db),
    sql`create table messageIndex (
      id integer primary key check (id = 1),
      indexedUpToId integer not null
    ) strict`.compile(db),
    sql`insert into messageIndex values (1, 0)`.compile(db),
    // SQLite gives the id of a deleted newest message again, so the index must not be ahead of the newest id.
    sql`create trigger messageDeleted after delete on message begin
      delete from messageWord where rowid = old.id;
      update messageIndex set indexedUpToId = (select coalesce(max(id), 0) from message)
        where indexedUpToId > (select coalesce(max(id), 0) from message);
    end`.compile(db),
    sql`create trigger messageContentUpdated after update of content on message begin
      delete from messageWord where rowid = old.id;
    end`.compile(db),
  ],
}
