// @module-tag deep
import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandRegistry } from '../../commands.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { type WriteJob, Writer } from '../../kernel/database/writer.ts'
import { createTemporaryFolder, openTestDatabase } from '../../testing/fixtures/test-database.ts'

/** Each with how many rows its effect leaves, and what is reported. */
const decisions = [
  { name: 'nothing', decision: 'nothing', item: 'roomMessage', effect: 'select 0' },
  { name: 'warn', decision: 'warn', item: 'roomMessage', effect: 'select count(*) from warning' },
  {
    name: 'mute',
    decision: 'mute',
    item: 'roomMessage',
    effect: "select count(*) from restriction where liftedAt is null and kind = 'mute'",
  },
  {
    name: 'ban',
    decision: 'ban',
    item: 'roomMessage',
    effect: "select count(*) from restriction where liftedAt is null and kind = 'siteBan'",
  },
  {
    name: 'ghost-ban',
    decision: 'ghostBan',
    item: 'guest',
    effect:
      "select count(*) from restriction join user on user.id = userId and isGhost where liftedAt is null and kind = 'ghostBan'",
  },
  { name: 'remove a room message', decision: 'remove', item: 'roomMessage', effect: removedOf('message') },
  { name: 'remove a direct message', decision: 'remove', item: 'directMessage', effect: removedOf('directMessage') },
  {
    name: 'remove a post',
    decision: 'remove',
    item: 'post',
    effect: 'select count(*) from post where isPurging',
  },
  {
    name: 'empty a profile',
    decision: 'remove',
    item: 'profile',
    effect: "select count(*) from user where username = 'ada' and bio is null",
  },
] as const

function removedOf(table: 'message' | 'directMessage'): string {
  return `select count(*) from removedMessage join ${table} as shown on shown.id = messageId and shown.isRemoved`
}

const folder = createTemporaryFolder()
const people = { root: 0, other: 0, ada: 0, can: 0, guest: 0 }
let now: number

/** A new copy of a site where an item is reported. */
function copyBase(item: string, name: string): string {
  const file = join(folder.path, name.replaceAll(' ', '-'))
  copyFileSync(join(folder.path, `base-${item}.db`), file)
  return file
}

beforeAll(async () => {
  const site = await openTestDatabase()
  people.root = site.addMember('kök', 'rootadmin')
  people.other = site.addMember('öteki', 'rootadmin')
  people.ada = site.addMember('ada')
  people.can = site.addMember('can')
  people.guest = site.addMember('gez')
  now = site.clock.now
  const { ada, can, guest } = people
  site.db.prepare('update user set isGuest = 1 where id = ?').run(guest)
  site.db.prepare("update user set bio = 'Kötü' where id = ?").run(ada)
  site.db
    .prepare(
      `insert into message (id, roomId, senderId, content, consecutiveCount, clientId, createdAt) values (1, 1, ?, 'Kötü', 1, 'x', 1)`,
    )
    .run(ada)
  site.db
    .prepare(
      `insert into post (id, userId, type, path, sizeBytes, description, isArchived, createdAt, likeCount, commentCount,
         score, isReported, isPurging)
       values (1, ?, 'photo', '/uploads/a.webp', 1, '', 0, 1, 0, 0, 0, 0, 0)`,
    )
    .run(ada)
  const message = { recipientId: can, content: 'Kötü', mediaId: null, replyToId: null, clientId: randomUUID() }
  const sent = site.run({
    command: 'sendDirectMessage',
    actor: actorOf('ada'),
    input: message,
    clientId: message.clientId,
  })
  expect(sent.answer).toMatchObject({ message: { id: 1 } })
  const items = [
    { item: 'roomMessage', kind: 'roomMessage', target: { messageId: 1, roomId: 1 } },
    { item: 'directMessage', kind: 'directMessage', target: { messageId: 1 } },
    { item: 'post', kind: 'post', target: { postId: 1 } },
    { item: 'profile', kind: 'profile', target: { userId: ada } },
    { item: 'guest', kind: 'profile', target: { userId: guest } },
  ]
  const withoutReport = join(folder.path, 'base.db')
  site.db.exec(`vacuum into '${withoutReport}'`)
  site.close()
  for (const { item, kind, target } of items) {
    const file = join(folder.path, `base-${item}.db`)
    copyFileSync(withoutReport, file)
    const db = openForWriting(file)
    const input = { kind, target, item, reason: 'insult', note: '' }
    const job = { id: 1, command: 'submitReport', actor: actorOf('can'), input, clientId: randomUUID() }
    expect(openWriter(db).runBatch([job]).results[0]).toMatchObject({ answer: { success: true } })
    db.close()
  }
})
afterAll(() => folder.remove())

const actorOf = (name: keyof typeof people) => ({ userId: people[name], sessionId: people[name] })
const openWriter = (db: Sqlite.Database) =>
  new Writer(db, { commands: commandRegistry, clock: () => now, isOnLiteFs: false })

function decideJob(decision: string, name: 'root' | 'other' = 'root'): WriteJob {
  const terms = { duration: '1hr', banReason: 'Diğer', text: 'Dikkat', reporterText: '' }
  const input = { reportIds: [1], decision, ...terms }
  return { id: 1, command: 'decideReports', input, actor: actorOf(name), clientId: randomUUID() }
}

/** Runs the job and copies the database's files before each statement and before the answer: what a SIGKILL would leave. */
function copyAtEachStep(file: string, job: WriteJob): { images: string[]; answer: object | undefined } {
  const db = openForWriting(file)
  const writer = openWriter(db)
  const images: string[] = []
  const copyFiles = (): void => {
    const image = `${file}-${images.length}.db`
    for (const part of ['', '-wal']) copyFileSync(file + part, image + part)
    images.push(image)
  }
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    const statement = prepare(sql)
    const run = statement.run.bind(statement)
    statement.run = (...params: unknown[]) => {
      copyFiles()
      return run(...params)
    }
    return statement
  }) as typeof db.prepare // the same signature
  const [result] = writer.runBatch([job]).results
  copyFiles()
  db.close()
  return { images, answer: result?.answer }
}

/** What a decision changes: itself, the report, the queue, the notification, the action log, and its effect. */
function stateOf(db: Sqlite.Database, effect: string) {
  const count = (sql: string) => db.prepare(sql).pluck().get()
  return {
    decisions: count('select count(*) from reportDecision'),
    decided: count('select count(*) from report where isOpen = 0'),
    queued: count('select openCount from reportGroup'),
    notified: count("select count(*) from notification where type = 'reportDecided'"),
    logged: count("select count(*) from actionEntry where kind = 'reportsDecided'"),
    effect: count(effect),
  }
}

function checkImages(
  images: string[],
  job: WriteJob,
  effect: string,
  states: readonly [object, object],
  answer: object,
) {
  const doneBefore = images.map((image) => {
    const db = openForWriting(image)
    const found = stateOf(db, effect)
    expect(states).toContainEqual(found)
    const writer = openWriter(db)
    for (let retry = 0; retry < 2; retry++) {
      expect(writer.runBatch([job]).results[0]?.answer).toEqual(answer)
      expect(stateOf(db, effect)).toEqual(states[1])
    }
    db.close()
    return JSON.stringify(found) === JSON.stringify(states[1])
  })
  // Only the last image is later than the commit.
  expect(doneBefore.indexOf(true)).toBe(images.length - 1)
}

const OPEN = { decisions: 0, decided: 0, queued: 1, notified: 0, logged: 0, effect: 0 }

describe.each(decisions)('a process that is killed while it decides to $name', ({ name, decision, item, effect }) => {
  const done = {
    ...{ decisions: 1, decided: 1, queued: 0, notified: 1, logged: 1 },
    effect: decision === 'nothing' ? 0 : 1,
  }

  it('[REPORT-12] has done all or nothing between any two statements, and a retry decides once', () => {
    const file = copyBase(item, name)
    const job = decideJob(decision)
    const { images, answer = {} } = copyAtEachStep(file, job)
    expect(answer).toMatchObject({ success: true })
    expect(images.length).toBeGreaterThan(8)
    checkImages(images, job, effect, [OPEN, done], answer)
  })
})

it('[REPORT-13] decides once when two regions ask for it at the same moment', () => {
  const file = copyBase('roomMessage', 'race')
  const db = openForWriting(file)
  const jobs = [decideJob('mute'), { ...decideJob('ban', 'other'), id: 2 }]
  const [first, second] = openWriter(db).runBatch(jobs).results
  expect(first?.answer).toMatchObject({ decision: { decision: 'mute', by: { username: 'kök' } } })
  expect(second).toMatchObject({ refusal: { code: 'ReportDecided', message: expect.stringContaining('kök') } })
  expect(db.prepare("select count(*) from restriction where kind <> 'mute'").pluck().get()).toBe(0)
  expect(stateOf(db, "select count(*) from restriction where kind = 'mute'")).toMatchObject({
    decisions: 1,
    notified: 1,
    effect: 1,
  })
  db.close()
})
