import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadMigrations, migrate, type NumberedMigration } from '../../kernel/database/migrate.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { DatabaseReader } from '../../kernel/database/read.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import {
  findFingerprintBan,
  findRestriction,
  getRestriction,
  listRestrictions,
  listRestrictionsOfFingerprint,
  toBan,
  toMute,
  toRoomBan,
} from './queries.ts'

const [root, ada, can, deniz] = [1, 2, 3, 4]
const NOW = 1_000

/** Of the release before: the earlier ones repeat later ones, as where terms were replaced. */
const earlierRows = `
  insert into user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt, isGhost) values
    (${root}, 'Kök', 'kök', 0, 'rootadmin', 'web', 1, 1, 0), (${ada}, 'Ada', 'ada', 0, 'member', 'web', 1, 1, 0),
    (${can}, 'Can', 'can', 1, 'guest', 'web', 1, 1, 1), (${deniz}, 'Deniz', 'deniz', 1, 'guest', 'web', 1, 1, 0);
  insert into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
    values (7, 'Oda', 'oda', 9, 1, 1, 1, 1);
  insert into ban (id, userId, kind, reason, duration, bannedById, at, endsAt, liftedAt, liftedById, sourceId) values
    (1, ${deniz}, 'site', 'Diğer', '1hr', ${root}, 5, 5000, null, null, 9),
    (2, ${can}, 'ghost', 'Sebep yok', 'indefinite', ${root}, 6, null, null, null, null),
    (3, ${ada}, 'site', 'Diğer', '10min', ${root}, 6, 900, 800, ${root}, null),
    (9, ${ada}, 'site', 'Uygunsuz Mesaj', '1hr', ${root}, 7, 5000, null, null, null);
  insert into banFingerprint values ('b1', 9, 'browser'), ('a1', 9, 'address'), ('b2', 2, 'browser');
  insert into roomBan (id, roomId, userId, reason, duration, bannedById, at, endsAt, liftedAt, liftedById, sourceId) values
    (1, 7, ${ada}, 'Diğer', 'indefinite', ${root}, 8, null, null, null, null),
    (2, 7, ${deniz}, 'Diğer', 'indefinite', ${root}, 9, null, null, null, 1);
  insert into roomBanFingerprint values ('b1', 1, 'browser');
  insert into mute (id, userId, roomId, reason, duration, mutedById, at, endsAt, liftedAt, liftedById, sourceId) values
    (1, ${ada}, null, 'Spam', '1hr', ${root}, 10, 5000, null, null, null),
    (2, ${ada}, 7, 'Hakaret', 'indefinite', ${root}, 11, null, null, null, null),
    (3, ${deniz}, 7, 'Hakaret', 'indefinite', ${root}, 12, null, null, null, 2);
  insert into muteFingerprint values ('b1', 2, 'browser'), ('a1', 2, 'address');`

const folder = createTemporaryFolder()
let db: Sqlite.Database
let migrations: NumberedMigration[]
let index: number
beforeEach(async () => {
  db = openForWriting(join(folder.path, `${Math.random()}.db`))
  migrations = await loadMigrations()
  index = migrations.findIndex(({ name }) => name.endsWith('-restrictions'))
  migrate(db, migrations.slice(0, index), 1)
  db.exec(earlierRows)
})
afterEach(() => {
  db.close()
  folder.remove()
})

const rows = (sql: string) => db.prepare(sql).all()
/** What older code reads. */
const earlierReads = [
  'select kind, userId, reason, duration, bannedById, at, endsAt, liftedAt, liftedById from ban order by at, id',
  'select roomId, userId, reason, duration, bannedById, at, endsAt, liftedAt, liftedById from roomBan order by at',
  'select roomId, userId, reason, duration, mutedById, at, endsAt, liftedAt, liftedById from mute order by at',
  `select hash, banFingerprint.kind, ban.kind as banKind, at from banFingerprint join ban on ban.id = banId order by hash, at`,
  `select hash, roomBanFingerprint.kind, at from roomBanFingerprint join roomBan on roomBan.id = banId order by hash, at`,
  `select hash, muteFingerprint.kind, at from muteFingerprint join mute on mute.id = muteId order by hash, at`,
  `select one.userId, source.userId as first from ban one join ban source on source.id = one.sourceId`,
  `select one.userId, source.userId as first from roomBan one join roomBan source on source.id = one.sourceId`,
  `select one.userId, source.userId as first from mute one join mute source on source.id = one.sourceId`,
]

it('[MOD-05] [MOD-06] [MOD-09] [SANCTION-07] [SANCTION-08] holds after an upgrade as before', () => {
  migrate(db, migrations, 2)
  const reader = new DatabaseReader(db)
  expect(findRestriction(reader, { kind: 'siteBan', userId: ada }, NOW)?.body).toMatchObject({
    code: 'Banned',
    message: expect.stringContaining('Uygunsuz Mesaj'),
  })
  expect(findRestriction(reader, { kind: 'siteBan', userId: can }, NOW)).toBeNull()
  expect(findRestriction(reader, { kind: 'roomBan', userId: deniz, roomId: 7 }, NOW)?.body.code).toBe('RoomBanned')
  expect(findRestriction(reader, { kind: 'mute', userId: ada, roomId: 7 }, NOW)?.body.message).toContain('Hakaret')
  expect(findRestriction(reader, { kind: 'mute', userId: ada }, NOW)?.body.message).toContain('Spam')
  expect(findRestriction(reader, { kind: 'mute', userId: deniz }, NOW)).toBeNull()

  const fingerprint = { browserHash: null, addressHash: 'a1' }
  const guest = { role: 'guest', fingerprint, enteredAt: NOW } as const
  expect(findFingerprintBan(reader, guest, NOW)?.body.code).toBe('Banned')
  expect(findFingerprintBan(reader, { ...guest, enteredAt: 6 }, NOW)).toBeNull()
  const kindsOf = (browserHash: string) =>
    listRestrictionsOfFingerprint(reader, { browserHash, addressHash: null }, NOW, NOW).map(({ kind }) => kind)
  expect(kindsOf('b1')).toEqual(['mute', 'roomBan', 'siteBan'])
  expect(kindsOf('b2')).toEqual(['ghostBan'])

  const listOf = (kind: 'siteBan' | 'ghostBan' | 'roomBan' | 'mute') =>
    listRestrictions(reader, { kinds: [kind] }, NOW).items
  expect(listOf('siteBan').map(toBan)).toMatchObject([
    { id: 9, kind: 'site', userId: ada, banReason: 'Uygunsuz Mesaj', bannedBy: 'Kök', at: 7, endsAt: 5000 },
    { id: 1, kind: 'site', userId: deniz },
  ])
  expect(listOf('ghostBan').map(toBan)).toMatchObject([{ id: 2, kind: 'ghost', userId: can, isGuest: true }])
  expect(listOf('roomBan').map(toRoomBan)).toMatchObject([{ userId: deniz }, { roomId: 7, userId: ada, endsAt: null }])
  expect(listOf('mute').map(toMute)).toMatchObject([
    { userId: deniz, roomName: 'Oda' },
    { userId: ada, roomName: 'Oda', reason: 'Hakaret', mutedBy: 'Kök' },
    { userId: ada, roomId: null, roomName: null },
  ])
  // No id of an earlier mute or room ban, which the action log may name, is that of another one.
  for (const { id } of [...listOf('roomBan'), ...listOf('mute')]) expect(id).toBeGreaterThan(9)
  expect(getRestriction(reader, listOf('mute')[0]?.sourceId ?? 0)).toMatchObject({ kind: 'mute', userId: ada })
})

it('[REG-33] is read by older code as before, whose writes to it fail', () => {
  const before = earlierReads.map(rows)
  migrate(db, migrations, 2)
  expect(earlierReads.map(rows)).toEqual(before)
  expect(() => db.prepare('update mute set liftedAt = 1').run()).toThrow(/view/)
  expect(rows('pragma foreign_key_check')).toEqual([])
})

it('has no restriction on a new site', () => {
  const empty = openForWriting(join(folder.path, 'new.db'))
  migrate(empty, migrations, 1)
  expect(empty.prepare('select count(*) from restriction').pluck().get()).toBe(0)
  empty.close()
})
