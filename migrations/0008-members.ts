import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/database/migrate.ts'

/** What members say of themselves, whom they let come near, from where they are signed in, whom they have blocked, and which faces nobody has any more. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`alter table user add column age integer`.compile(db),
    sql`alter table user add column city text`.compile(db),
    sql`alter table user add column bio text`.compile(db),
    sql`alter table user add column largeAvatarUrl text`.compile(db),
    // By a file's name, whether it is somebody's face now.
    sql`create index userByAvatar on user (avatarUrl) where avatarUrl is not null`.compile(db),
    sql`create index userByLargeAvatar on user (largeAvatarUrl) where largeAvatarUrl is not null`.compile(db),
    // null: the default of shared/settings/rules.ts, whatever that comes to be.
    ...['message', 'messageImage', 'messageAudio', 'voiceCall', 'videoCall'].map((what) =>
      sql`alter table user add column ${sql.ref(`${what}Privacy`)} text
        check (${sql.ref(`${what}Privacy`)} in ('everyone', 'followers', 'following', 'nobody'))`.compile(db),
    ),
    sql`alter table user add column accountPrivacy text check (accountPrivacy in ('public', 'private'))`.compile(db),
    sql`alter table user add column passwordChangedAt integer`.compile(db),
    // When the terms were accepted, and which text it was.
    sql`alter table user add column termsAcceptedAt integer`.compile(db),
    sql`alter table user add column termsVersion text`.compile(db),
    // A few words of the browser and its system, and the region: for their owner to know a session again.
    sql`alter table session add column device text`.compile(db),
    sql`alter table session add column region text`.compile(db),
    // From when on nobody names a file any more, as far as that was noted; null where somebody does.
    sql`alter table file add column unnamedSince integer`.compile(db),
    sql`create table block (
      blockerId integer not null references user (id),
      blockedId integer not null references user (id),
      createdAt integer not null,
      primary key (blockerId, blockedId),
      check (blockerId != blockedId)
    ) strict, without rowid`.compile(db),
    sql`create index blockByBlocked on block (blockedId, blockerId)`.compile(db),
  ],
}
