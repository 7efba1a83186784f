import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

const placeKinds = sql.raw("('room', 'direct', 'comment', 'post', 'profile', 'roomText')")
const actions = sql.raw("('holdBack', 'replace', 'alert')")

/** The word filter, what it matched, texts that wait for review, and alerts. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table filterEntry (
      id integer primary key,
      pattern text not null,
      patternKey text not null unique,
      match text not null check (match in ('word', 'stem')),
      action text not null check (action in ${actions}),
      replacement text,
      exceptions text not null,
      changedAt integer not null
    ) strict`.compile(db),
    sql`create table textFilter (
      id integer primary key check (id = 1),
      revision text not null,
      entryCount integer not null check (entryCount between 0 and 2000),
      linkMinDays integer not null check (linkMinDays between 0 and 365),
      guestsMayLink integer not null check (guestsMayLink in (0, 1)),
      allowedHosts text not null,
      ownHosts text not null
    ) strict`.compile(db),
    sql`insert into textFilter values (1, '', 0, 0, 1, '[]', '[]')`.compile(db),
    sql`create table filterHit (
      id integer primary key,
      userId integer not null references user (id),
      placeKind text not null check (placeKind in ${placeKinds}),
      placeId integer,
      clientId text,
      pattern text not null,
      word text not null,
      excerpt text,
      action text not null check (action in ${actions}),
      at integer not null
    ) strict`.compile(db),
    sql`create index filterHitByUser on filterHit (userId, at)`.compile(db),
    sql`create index filterHitByTime on filterHit (at)`.compile(db),
    sql`create table heldText (
      id integer primary key,
      userId integer not null references user (id),
      placeKind text not null check (placeKind in ('room', 'direct', 'comment')),
      placeId integer not null,
      text text not null,
      clientId text,
      replyToId integer,
      mediaId integer,
      pattern text not null,
      word text not null,
      at integer not null,
      releasedAt integer
    ) strict`.compile(db),
    sql`create index heldTextByUser on heldText (userId)`.compile(db),
    sql`create index heldTextByTime on heldText (at)`.compile(db),
    sql`create table alert (
      id integer primary key,
      kind text not null check (kind in ('word', 'sameText', 'manyMessages')),
      cause text not null,
      userId integer references user (id),
      placeKind text check (placeKind in ${placeKinds}),
      placeId integer,
      clientId text,
      details text not null,
      count integer not null,
      raisedAt integer not null,
      latestAt integer not null,
      handledAt integer,
      handledById integer references user (id)
    ) strict`.compile(db),
    sql`create unique index openAlertByCause on alert (cause) where handledAt is null`.compile(db),
    sql`create index alertByTime on alert (raisedAt)`.compile(db),
    sql`create index alertByUser on alert (userId)`.compile(db),
  ],
}
