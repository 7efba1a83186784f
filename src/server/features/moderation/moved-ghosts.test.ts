import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadMigrations, migrate } from '../../kernel/database/migrate.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'

const [ghost, ada, can, deniz] = [1, 2, 3, 4]

/** Of the release before: what a ghost has changed, and a reply of a root admin to a ghost's message. */
const earlierRows = `
  insert into user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt, isGhost, shownPrivacy)
    values (${ghost}, 'Hayal', 'hayal', 0, 'member', 'web', 1, 1, 1, '{}'),
      (${ada}, 'Ada', 'ada', 0, 'rootadmin', 'web', 1, 1, 0, null),
      (${can}, 'Can', 'can', 0, 'member', 'web', 1, 1, 0, null),
      (${deniz}, 'Deniz', 'deniz', 0, 'member', 'web', 1, 1, 0, null);
  insert into block (blockerId, blockedId, createdAt, effect) values
    (${ghost}, ${can}, 1, 'blocker'), (${ghost}, ${deniz}, 1, 'blocked'), (${can}, ${deniz}, 1, 'both');
  insert into follow (followerId, followingId, isAccepted, at) values
    (${can}, ${ghost}, 1, 1), (${ghost}, ${can}, 1, 1), (${ghost}, ${deniz}, 1, 1);
  insert into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
    values (1, 'Oda', 'oda', 9, 1, 1, 1, 1);
  insert into message (id, roomId, senderId, content, createdAt, clientId, consecutiveCount, replyToId, audience) values
    (1, 1, ${ghost}, 'gizli', 1, 'a', 1, null, 'actor'), (2, 1, ${ghost}, 'yine', 1, 'b', 1, 1, 'actor'),
    (3, 1, ${ada}, 'cevap', 1, 'c', 1, 1, null), (4, 1, ${can}, 'yanıt', 1, 'd', 1, 3, null);`

it('[GHOSTD-10] [GHOST-12] hold for both after an upgrade, and quote nothing to others', async () => {
  const folder = createTemporaryFolder()
  const db = openForWriting(join(folder.path, 'old.db'))
  const migrations = await loadMigrations()
  const index = migrations.findIndex(({ name }) => name.endsWith('plain-ghost-bans'))
  migrate(db, migrations.slice(0, index), 1)
  db.exec(earlierRows)
  migrate(db, migrations, 2)
  const rows = (sql: string) => db.prepare(sql).raw().all()
  expect(rows('select blockerId, blockedId, effect from block')).toEqual([
    [ghost, can, 'both'],
    [can, deniz, 'both'],
  ])
  expect(rows('select followerId, followingId from follow')).toEqual([[ghost, deniz]])
  expect(rows('select userId, followerCount, followingCount from followCount order by userId')).toEqual([
    [ghost, 0, 1],
    [can, 0, 0],
    [deniz, 1, 0],
  ])
  expect(rows('select id, replyToId from message order by id')).toEqual([
    [1, null],
    [2, 1],
    [3, null],
    [4, 3],
  ])
  expect(rows('select shownPrivacy from user where shownPrivacy is not null')).toEqual([])
  db.close()
  folder.remove()
})
