import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ReportContent } from '../../../shared/reports/report.ts'
import { loadMigrations, migrate } from '../../kernel/database/migrate.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { DatabaseReader } from '../../kernel/database/read.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { findGroup } from './list-groups.ts'
import { findContent, listReports } from './list-reports.ts'

const [ada, can, deniz] = [1, 2, 3]

/** A database of the release before, with reports of a message with a file, and of a post that is deleted. */
const earlierRows = `
  insert into user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt) values
    (${ada}, 'Ada', 'ada', 0, 'member', 'web', 1, 1), (${can}, 'Can', 'can', 0, 'member', 'web', 1, 1),
    (${deniz}, 'Deniz', 'deniz', 1, 'guest', 'web', 1, 1);
  insert into conversation values (1, ${ada}, ${can}, ${ada}, 1, null);
  insert into directMedia (id, ownerId, mediaType, originalPath, thumbnailPath, sizeBytes, width, height, durationMs, blur,
    waveform, createdAt, clientId, expiresAt, isReported) values
    (1, ${ada}, 'audio', 'ses.ogg', null, 1, null, null, 900, null, '${Array(20).fill(7).join()}', 1, null, null, 1),
    (2, ${ada}, 'image', 'resim.webp', 'kucuk.webp', 1, 4, 3, null, 'x', null, 1, null, null, 1);
  insert into directMessage (id, conversationId, senderId, content, mediaId, replyToId, clientId, createdAt)
    values (8, 1, ${ada}, 'selam', 1, null, 'a', 5);
  insert into directMessageReport (messageId, reporterId, reportedId, messages, createdAt) values (9, ${can}, ${ada}, '${JSON.stringify(
    [
      { id: 8, conversationId: 1, senderId: ada, content: 'selam', mediaId: 1, replyToId: null, createdAt: 5 },
      { id: 9, conversationId: 1, senderId: ada, content: 'kötü "söz"', mediaId: 2, replyToId: 8, createdAt: 6 },
      { id: 10, conversationId: 1, senderId: can, content: 'dur', mediaId: null, replyToId: null, createdAt: 7 },
    ],
  )}', 20);
  insert into post (id, userId, type, path, mediumPath, thumbnailPath, sizeBytes, width, height, durationMs, blur, description,
    isArchived, createdAt, likeCount, commentCount, score, isReported, deletedAt, isPurging)
    values (4, ${ada}, 'photo', 'b.webp', 'o.webp', 'k.webp', 1, 8, 6, null, null, '', 0, 3, 0, 0, 0, 1, 30, 0);
  insert into postReport (postId, reporterId, reportedId, content, createdAt) values (4, ${deniz}, ${ada}, '${JSON.stringify(
    {
      post: {
        ...{ id: 4, userId: ada, type: 'photo', path: 'b.webp', mediumPath: 'o.webp', thumbnailPath: 'k.webp' },
        ...{ sizeBytes: 1, width: 8, height: 6, durationMs: null, blur: null, description: 'kötü', isArchived: 0 },
        ...{ createdAt: 3, likeCount: 2, commentCount: 1, score: 4, isReported: 0, deletedAt: null, isPurging: 0 },
      },
      comments: [
        {
          ...{ id: 1, postId: 4, content: 'yorum', createdAt: 4 },
          User: { id: can, username: 'Can', avatarUrl: null, gender: null, isGuest: false },
        },
      ],
    },
  )}', 21);`

it('[REPORT-18] have all that they kept, are in the queue, and keep their files', async () => {
  const folder = createTemporaryFolder()
  const db = openForWriting(join(folder.path, 'old.db'))
  const migrations = await loadMigrations()
  const index = migrations.findIndex(({ name }) => name.endsWith('-reports'))
  migrate(db, migrations.slice(0, index), 1)
  db.exec(earlierRows)
  migrate(db, migrations, 2)
  const reader = new DatabaseReader(db)
  const { reports } = listReports(reader, ada, { state: 'open' })
  expect(reports).toMatchObject([
    { kind: 'post', reporter: { id: deniz }, createdAt: 21, subject: { postId: 4 }, reason: 'other' },
    { kind: 'directMessage', reporter: { id: can }, createdAt: 20, subject: { messageId: 9 } },
  ])
  expect(findGroup(reader, ada, 3)).toMatchObject({ openCount: 2, decidedCount: 0, reporterCount: 2 })
  expect(db.prepare('select sourceCount, latestReportId from reportGroup').all()).toEqual([
    { sourceCount: 2, latestReportId: reports[0]?.id },
  ])
  const [post, message] = reports.map(
    ({ id }) => v.parse(v.strictObject({ content: ReportContent }), { content: findContent(reader, id) }).content,
  )
  expect(message).toMatchObject({
    messageId: 9,
    messages: [
      {
        content: 'selam',
        media: { mediaType: 'audio', originalPath: '/uploads/ses.ogg', waveform: Array(20).fill(7) },
      },
      { content: 'kötü "söz"', senderUsername: 'Ada', media: { thumbnailPath: '/uploads/kucuk.webp', width: 4 } },
      { content: 'dur', senderUsername: 'Can', media: null },
    ],
  })
  expect(post).toMatchObject({
    post: { id: 4, description: 'kötü', url: '/uploads/b.webp', likeCount: 2, isArchived: false },
    owner: { username: 'Ada' },
    comments: [{ content: 'yorum' }],
  })
  expect(db.prepare('select path from reportFile order by path').pluck().all()).toEqual([
    'b.webp',
    'k.webp',
    'kucuk.webp',
    'o.webp',
    'resim.webp',
    'ses.ogg',
  ])
  // What only a report kept goes as any other: the row of the deleted post, and the upload whose message is gone.
  expect(db.prepare('select isPurging from post').pluck().all()).toEqual([1])
  expect(db.prepare('select expiresAt from directMedia order by id').pluck().all()).toEqual([null, 1])
  expect(
    db.prepare("select name from sqlite_schema where name in ('postReport', 'directMessageReport')").all(),
  ).toEqual([])
  db.close()
  folder.remove()
})
