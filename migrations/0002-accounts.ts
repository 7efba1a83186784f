import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

const privacyColumns = ['message', 'messageImage', 'messageAudio', 'voiceCall', 'videoCall'].map(
  (channel) => `${channel}Privacy text check (${channel}Privacy in ('everyone', 'followers', 'following', 'nobody'))`,
)

/** Guests and members, and their sessions. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    // A null privacy is the default of src/shared/settings/rules.ts.
    sql`create table user (
      id integer primary key,
      username text not null,
      foldedName text not null,
      isGuest integer not null check (isGuest in (0, 1)),
      role text not null check (role in ('guest', 'member', 'rootadmin')),
      gender text check (gender in ('female', 'male', 'other')),
      avatarUrl text,
      largeAvatarUrl text,
      age integer,
      city text,
      bio text,
      ${sql.raw(privacyColumns.join(',\n      '))},
      accountPrivacy text check (accountPrivacy in ('public', 'private')),
      passwordHash text,
      passwordChangedAt integer,
      termsAcceptedAt integer,
      termsVersion text,
      lastLoginPlatform text not null check (lastLoginPlatform in ('web', 'mobile')),
      premiumUntil integer,
      createdAt integer not null,
      lastSeenAt integer not null,
      nameReleasedAt integer
    ) strict`.compile(db),
    // A guest's name is free again after the guest has gone, so only names that are still held must differ.
    sql`create unique index userByHeldName on user (foldedName) where nameReleasedAt is null`.compile(db),
    sql`create index guestByLastSeen on user (lastSeenAt) where isGuest = 1 and nameReleasedAt is null`.compile(db),
    sql`create index userByAvatar on user (avatarUrl) where avatarUrl is not null`.compile(db),
    sql`create index userByLargeAvatar on user (largeAvatarUrl) where largeAvatarUrl is not null`.compile(db),
    // Ids are random: after a restore or a lost primary a counted id could be given twice, and an old token
    // would speak for another person. device and region help the owner to recognise a session.
    sql`create table session (
      id integer primary key,
      userId integer not null references user (id),
      browserId text,
      platform text not null,
      device text,
      region text,
      createdAt integer not null,
      lastSeenAt integer not null
    ) strict`.compile(db),
    sql`create index sessionByUser on session (userId)`.compile(db),
    sql`create index sessionByLastSeen on session (lastSeenAt)`.compile(db),
  ],
}
