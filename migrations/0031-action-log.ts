import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** What root admins, room admins and the server did, and the names of persons at the time. Entries stay as they are. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // A name that a person had when an entry was written; null after the account is erased.
    sql`create table actionName (
      id integer primary key,
      userId integer not null references user (id),
      username text,
      foldedName text,
      check ((username is null) = (foldedName is null))
    ) strict`.compile(db),
    sql`create unique index actionNameOfUser on actionName (userId, username)`.compile(db),
    sql`create index actionNameByName on actionName (foldedName, userId)`.compile(db),
    // actorId: null for the server itself. details: a JSON object.
    sql`create table actionEntry (
      id integer primary key,
      kind text not null,
      actorId integer references user (id),
      actorNameId integer references actionName (id),
      targetId integer references user (id),
      targetNameId integer references actionName (id),
      roomId integer references room (id),
      subjectType text,
      subjectId integer,
      reason text,
      endsAt integer,
      details text,
      at integer not null,
      check ((actorId is null) = (actorNameId is null)),
      check ((targetId is null) = (targetNameId is null)),
      check ((subjectType is null) = (subjectId is null))
    ) strict`.compile(db),
    sql`create index actionEntryByTime on actionEntry (at, id)`.compile(db),
    sql`create index actionEntryByActor on actionEntry (actorId, at, id) where actorId is not null`.compile(db),
    sql`create index actionEntryByTarget on actionEntry (targetId, at, id) where targetId is not null`.compile(db),
    sql`create index actionEntryByRoom on actionEntry (roomId, at, id) where roomId is not null`.compile(db),
    sql`create index actionEntryByKind on actionEntry (kind, at, id)`.compile(db),
    ...guards.map((guard) => sql.raw(guard).compile(db)),
  ],
}

const guards = [
  ...['update', 'delete'].map(
    (change) => `create trigger actionEntryNo${change} before ${change} on actionEntry
      begin select raise(abort, 'the action log is append-only'); end`,
  ),
  // `insert or replace` deletes the old row without a delete trigger.
  `create trigger actionEntryIsNew before insert on actionEntry
    when exists (select 1 from actionEntry where id = new.id)
    begin select raise(abort, 'the action log is append-only'); end`,
  `create trigger actionNameNodelete before delete on actionName
    begin select raise(abort, 'the action log is append-only'); end`,
  `create trigger actionNameIsOnlyErased before update on actionName
    when new.username is not null or new.id <> old.id or new.userId <> old.userId
    begin select raise(abort, 'a name of the action log is only erased'); end`,
  `create trigger actionNameIsNew before insert on actionName
    when exists (select 1 from actionName where id = new.id or (userId = new.userId and username = new.username))
    begin select raise(abort, 'the action log is append-only'); end`,
]
