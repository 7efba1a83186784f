import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/**
 * One table of bans and mutes. Bans from the site and ghost bans keep their ids; room bans and mutes get ids above all earlier
 * ones, so that an entry of the action log with an earlier id of a mute names no other one. Regions with older code read the
 * views; if one becomes the primary, what it writes to them fails and changes nothing. A later release drops the views.
 */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [
    sql`create table restriction (
      id integer primary key,
      kind text not null check (kind in ('siteBan', 'ghostBan', 'roomBan', 'mute')),
      userId integer not null references user (id),
      roomId integer references room (id),
      reason text not null,
      duration text not null check (duration in ('10min', '1hr', 'indefinite')),
      imposedById integer not null references user (id),
      at integer not null,
      endsAt integer,
      liftedAt integer,
      liftedById integer references user (id),
      sourceId integer references restriction (id),
      check (kind = 'mute' or (kind = 'roomBan') = (roomId is not null))
    ) strict`.compile(db),
    sql`create table restrictionFingerprint (
      hash text not null,
      restrictionId integer not null references restriction (id),
      kind text not null check (kind in ('browser', 'address')),
      primary key (hash, restrictionId)
    ) strict, without rowid`.compile(db),
    ...copies.map((copy) => sql.raw(copy).compile(db)),
    sql`create index restrictionByUser on restriction (userId, kind, roomId)`.compile(db),
    sql`create index restrictionByKind on restriction (kind, id) where liftedAt is null`.compile(db),
    sql`create index restrictionByRoom on restriction (roomId, kind, id) where liftedAt is null and roomId is not null`.compile(
      db,
    ),
    sql`create index restrictionBySource on restriction (sourceId) where sourceId is not null`.compile(db),
    sql`create index restrictionFingerprintByRestriction on restrictionFingerprint (restrictionId)`.compile(db),
    ...['banFingerprint', 'roomBanFingerprint', 'muteFingerprint', 'ban', 'roomBan', 'mute'].map((table) =>
      sql`drop table ${sql.ref(table)}`.compile(db),
    ),
    ...views.map((view) => sql.raw(view).compile(db)),
  ],
}

/** The highest id of the three tables. */
const highestId = `(select coalesce(max(id), 0) from
  (select id from ban union all select id from roomBan union all select id from mute))`
const columns = `id, kind, userId, roomId, reason, duration, imposedById, at, endsAt, liftedAt, liftedById, sourceId`

const copies = [
  `insert into restriction (${columns}) select id, kind || 'Ban', userId, null, reason, duration, bannedById, at, endsAt,
    liftedAt, liftedById, sourceId from ban`,
  `insert into restriction (${columns}) select id + ${highestId}, 'roomBan', userId, roomId, reason, duration, bannedById, at,
    endsAt, liftedAt, liftedById, sourceId + ${highestId} from roomBan`,
  `insert into restriction (${columns}) select id + 2 * ${highestId}, 'mute', userId, roomId, reason, duration, mutedById, at,
    endsAt, liftedAt, liftedById, sourceId + 2 * ${highestId} from mute`,
  `insert into restrictionFingerprint select hash, banId, kind from banFingerprint`,
  `insert into restrictionFingerprint select hash, banId + ${highestId}, kind from roomBanFingerprint`,
  `insert into restrictionFingerprint select hash, muteId + 2 * ${highestId}, kind from muteFingerprint`,
]

const restrictionView = (name: string, kinds: string, imposedById: string, more = '') =>
  `create view ${name} as select id, userId, roomId, reason, duration, imposedById as ${imposedById}, at, endsAt, liftedAt,
    liftedById, sourceId${more} from restriction where ${kinds}`
const fingerprintView = (name: string, restrictionId: string) =>
  `create view ${name} as select hash, restrictionId as ${restrictionId}, kind from restrictionFingerprint`

const views = [
  restrictionView(
    'ban',
    `kind in ('siteBan', 'ghostBan')`,
    'bannedById',
    `, case kind when 'ghostBan' then 'ghost' else 'site' end as kind, null as seenAt`,
  ),
  restrictionView('roomBan', `kind = 'roomBan'`, 'bannedById'),
  restrictionView('mute', `kind = 'mute'`, 'mutedById'),
  fingerprintView('banFingerprint', 'banId'),
  fingerprintView('roomBanFingerprint', 'banId'),
  fingerprintView('muteFingerprint', 'muteId'),
]
