import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { roomStream } from '../presence/streams.ts'
import { eventsSince } from './events/events.ts'
import type { WriteJob } from './writer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let base: TestDatabase
let actor: WriteJob['actor']

beforeEach(async () => {
  base = await openTestDatabase()
  const ada = base.addMember('ada')
  actor = { userId: ada, sessionId: ada }
})
afterEach(() => base.close())

const sendMessageJob = (content: string, more: Partial<WriteJob> = {}): WriteJob => {
  const clientId = more.clientId ?? randomUUID()
  const input = { roomId: 1, content, clientId, inRoomForMs: 60_000 }
  return { id: 1, command: 'sendMessage', actor, input, ...more, clientId }
}
/** The same job with the dwell time as measured at the retry. */
const withInRoomForMs = (job: WriteJob, inRoomForMs: number | null): WriteJob => ({
  ...job,
  input: { ...job.input, inRoomForMs },
})
function rootAdmin() {
  const root = base.addMember('kök', 'rootadmin')
  return { userId: root, sessionId: root }
}
const messages = () => base.db.prepare('select content, consecutiveCount from message order by id').all()

describe('the writer', () => {
  it('commits a batch together and hands over its events in the order of the log', () => {
    const { results, events } = base.writer.runBatch([sendMessageJob('bir'), { ...sendMessageJob('iki'), id: 2 }])
    expect(results.map(({ answer }) => answer)).toMatchObject([{ success: true }, { success: true }])
    expect(events.map(({ seq, stream, name }) => [seq, stream, name])).toEqual([
      [1, roomStream(1), 'message'],
      [2, roomStream(1), 'message'],
    ])
    expect(messages()).toMatchObject([{ content: 'Bir' }, { content: 'İki' }])
  })

  it('rolls back only the command that refuses, with its log number', () => {
    const { results, events } = base.writer.runBatch([
      sendMessageJob('bir'),
      withInRoomForMs(sendMessageJob('yok'), null),
      sendMessageJob('iki'),
    ])
    expect(results[1]?.refusal?.code).toBe('NotInRoom')
    expect(events.map(({ seq }) => seq)).toEqual([1, 2])
    expect(messages()).toHaveLength(2)
  })

  it('rolls back only the command that throws, and reports the stack', () => {
    const broken = sendMessageJob('x', { input: { roomId: 1, clientId: 'x' } })
    const { results } = base.writer.runBatch([broken, sendMessageJob('bir')])
    expect(results[0]).toMatchObject({ refusal: { code: 'Failed' }, errorStack: expect.stringContaining('Error') })
    expect(messages()).toMatchObject([{ content: 'Bir' }])
  })

  it('rolls back only the command that fails after its first write, with its events', () => {
    base.db.exec(`create trigger failEvent before insert on event
      when exists (select 1 from message where content like 'Bozuk%') begin select raise(abort, 'bozuk'); end`)
    const [bir, bozuk, iki, uc] = ['bir', 'bozuk', 'iki', 'üç'].map((text) => sendMessageJob(text)) as [
      ...[WriteJob, WriteJob, WriteJob, WriteJob],
    ]
    const { results, events } = base.writer.runBatch([bir, bozuk, iki, withInRoomForMs(uc, null), uc])
    expect(results.map(({ answer, refusal }) => answer ?? refusal?.code)).toMatchObject([
      ...[{ id: 1 }, 'Failed', { id: 2 }, 'NotInRoom', { id: 3 }],
    ])
    expect(results[1]?.errorStack).toContain('bozuk')
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(messages()).toMatchObject(['Bir', 'İki', 'Üç'].map((content) => ({ content })))
    expect(eventsSince(base.read, 0, [roomStream(1)])).toHaveLength(3)
    base.db.exec('drop trigger failEvent')
    expect(base.writer.runBatch([bir, bozuk]).results.map(({ answer }) => answer)).toMatchObject([{ id: 1 }, { id: 4 }])
  })

  it('answers Busy to the whole batch when SQLite rolls it back by itself', () => {
    base.db.exec("create trigger failBatch before insert on event begin select raise(rollback, 'geri'); end")
    const { results, events } = base.writer.runBatch([sendMessageJob('bir'), sendMessageJob('iki')])
    expect(results.map(({ refusal }) => refusal?.code)).toEqual(['Busy', 'Busy'])
    expect([events, messages()]).toEqual([[], []])
    base.db.exec('drop trigger failBatch')
    expect(base.writer.runBatch([sendMessageJob('bir')]).events.map(({ seq }) => seq)).toEqual([1])
  })

  it('answers Busy to the whole batch when the disk is full, and works again when it is not', () => {
    const rooted = { actor: rootAdmin() }
    base.writerDb.pragma(`max_page_count = ${base.writerDb.pragma('page_count', { simple: true })}`)
    const long = 'x'.repeat(2_000)
    const { results, events } = base.writer.runBatch(
      Array.from({ length: 20 }, (_, id) => ({ ...sendMessageJob(long, rooted), id })),
    )
    expect(new Set(results.map(({ refusal }) => refusal?.code))).toEqual(new Set(['Busy']))
    expect([events, messages()]).toEqual([[], []])
    base.writerDb.pragma('max_page_count = 100000')
    expect(base.writer.runBatch([sendMessageJob(long)]).events[0]?.seq).toBe(1)
  })

  it('[LIVE-21] runs a clientId once and repeats its answer, in any batch', () => {
    const job = sendMessageJob('bir')
    const [first, again] = base.writer.runBatch([job, job]).results
    base.clock.now += 90_000
    expect(again?.answer).toEqual(first?.answer)
    expect(base.writer.runBatch([job]).results[0]?.answer).toEqual(first?.answer)
    expect(messages()).toHaveLength(1)
  })

  it('[LIVE-21] looks a clientId up before any chat limit', () => {
    const job = sendMessageJob('bir')
    const first = base.writer.runBatch([job]).results[0]
    expect(base.writer.runBatch([withInRoomForMs(job, null)]).results[0]).toEqual(first)
  })

  it('[LIVE-22] refuses a clientId that is reused with another payload', () => {
    base.addMember('can')
    const job: WriteJob = { ...sendMessageJob(''), command: 'blockUser', input: { blockedUsername: 'can' } }
    const other = { ...job, input: { blockedUsername: 'cen' } }
    const [first, refused] = base.writer.runBatch([job, other]).results
    expect([first?.answer, refused?.refusal?.code]).toEqual([{ success: true }, 'ClientIdReused'])
  })

  it('[LIVE-48] answers a message’s clientId alone, whatever is sent under it again', () => {
    const job = sendMessageJob('selam')
    const [first] = base.writer.runBatch([job]).results
    for (const change of [{ roomId: 2 }, { content: 'başka' }, { replyTo: { id: 1 } }])
      expect(base.writer.runBatch([{ ...job, input: { ...job.input, ...change } }]).results[0]).toEqual(first)
    expect(messages()).toMatchObject([{ content: 'Selam' }])
  })

  it('[LIVE-21] [CHAT-24] recognises a retry whose text changed when it was stored, also when a name has changed hands', () => {
    const job = sendMessageJob('  @yeni ve @[{eski}] :) ')
    const eski = base.addMember('eski')
    const [first] = base.writer.runBatch([job]).results
    expect(messages()).toMatchObject([{ content: 'Yeni ve @[{eski}] 🙂' }])
    base.addMember('yeni')
    base.db.prepare("update user set foldedName = 'başka' where id = ?").run(eski)
    expect(base.writer.runBatch([job]).results[0]).toEqual(first)
    expect(messages()).toHaveLength(1)
  })

  it('[LIVE-22] refuses a clientId that another command of the user had', () => {
    const message = sendMessageJob('bir')
    const other: WriteJob = { ...sendMessageJob(''), command: 'endSession', input: {} }
    base.writer.runBatch([message, other])
    for (const job of [
      { ...other, clientId: message.clientId },
      { ...message, clientId: other.clientId },
    ])
      expect(base.writer.runBatch([job]).results[0]?.refusal?.code).toBe('ClientIdReused')
  })

  it('[LIVE-22] refuses a clientId that a message of another kind had', () => {
    const toRoom = sendMessageJob('bir')
    const toUser = (clientId: string | null): WriteJob => {
      const recipientId = base.addMember(`alıcı${clientId}`)
      const input = { recipientId, content: 'iki', mediaId: null, replyToId: null, clientId }
      return { id: 1, command: 'sendDirectMessage', actor, input, clientId }
    }
    const direct = toUser(randomUUID())
    expect(base.writer.runBatch([toRoom, direct]).results.map(({ refusal }) => refusal)).toEqual([undefined, undefined])
    const reused = [toUser(toRoom.clientId), sendMessageJob('üç', { clientId: direct.clientId })]
    expect(base.writer.runBatch(reused).results.map(({ refusal }) => refusal?.code)).toEqual([
      ...['ClientIdReused', 'ClientIdReused'],
    ])
  })

  it('[LIVE-21] keeps a clientId apart from the same one of another user', () => {
    const can = base.addMember('can')
    const job = sendMessageJob('bir')
    const { results } = base.writer.runBatch([job, { ...job, actor: { userId: can, sessionId: can } }])
    expect(results.map(({ answer }) => answer)).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('[CHAT-14] repeats the answer to a message that was removed, for a week after it was sent', () => {
    const job = sendMessageJob('bir')
    const [first] = base.writer.runBatch([job, sendMessageJob('iki')]).results
    base.run({ command: 'clearRoomMessages', actor: rootAdmin(), input: { roomId: 1 } })
    expect(base.run({ command: 'deleteRemovedMessages' }).answer).toEqual({ removed: 1 })
    base.clock.now += 7 * 24 * 60 * 60 * 1000 - 1
    base.run({ command: 'trimLog' })
    expect(base.writer.runBatch([job]).results[0]).toEqual(first)
    base.clock.now += 2
    base.run({ command: 'trimLog' })
    expect(base.db.prepare('select count(*) from commandAnswer where clientId = ?').pluck().get(job.clientId)).toBe(0)
  })

  it('[LIVE-22] [HTTP-06] refuses a clientId that another command of the user has, also with an equal payload', () => {
    base.addMember('can')
    const block: WriteJob = { ...sendMessageJob(''), command: 'blockUser', input: { blockedUsername: 'can' } }
    const unblock: WriteJob = { ...block, command: 'unblockUser' }
    const [blocked, refused] = base.writer.runBatch([block, unblock]).results
    expect([blocked?.answer, refused?.refusal?.code]).toEqual([{ success: true }, 'ClientIdReused'])
  })

  it.each(['toString', '__proto__', 'ofNewerCode'])('refuses the unknown command %s of another region', (command) => {
    expect(base.run({ command, actor }).refusal?.code).toBe('UnknownCommand')
  })

  it('runs a command again, and stores no answer, when its answer is never kept', () => {
    const touch: WriteJob = { ...sendMessageJob(''), command: 'touchUsers', input: { userIds: [actor?.userId] } }
    expect(base.writer.runBatch([touch, touch]).results.map(({ answer }) => answer)).toEqual([
      { touched: 1 },
      { touched: 1 },
    ])
    expect(base.db.prepare('select * from commandAnswer').all()).toEqual([])
  })

  it('[LIVE-21] does not store refusals: the same clientId may succeed later', () => {
    const job = withInRoomForMs(sendMessageJob('bir'), 1_000)
    expect(base.writer.runBatch([job]).results[0]?.refusal).toMatchObject({ code: 'JustJoined', waitMs: 9_000 })
    expect(base.writer.runBatch([withInRoomForMs(job, 10_000)]).results[0]?.answer).toMatchObject({
      success: true,
    })
  })

  it('[CHAT-14] answers a retry of an old message and trims the log to a day, but never its last row', () => {
    const job = sendMessageJob('bir')
    base.writer.runBatch([job])
    base.clock.now += 2 * DAY_MS
    base.writer.runBatch([sendMessageJob('iki')])
    base.clock.now += 2 * DAY_MS
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 1 })
    expect(base.run({ command: 'trimLog' }).answer).toEqual({ removed: 0 })
    expect(base.read.cursor()).toBe(2)
    expect(base.writer.runBatch([job]).results[0]?.answer).toMatchObject({ success: true, id: 1 })
    expect(eventsSince(base.read, 0, [roomStream(1)])).toBeNull()
    expect(eventsSince(base.read, 1, [roomStream(1)])).toHaveLength(1)
  })

  it('[REG-10] takes the role from the row, not from the claims', () => {
    const claimed = { ...actor, role: 'rootadmin' } as WriteJob['actor'] // as an untrusted region would send
    for (let i = 0; i < 4; i++)
      expect(base.writer.runBatch([sendMessageJob('x', { actor: claimed })]).results[0]?.answer).toBeDefined()
    const fifth = sendMessageJob('x', { actor: claimed })
    expect(base.writer.runBatch([fifth]).results[0]?.refusal?.code).toBe('TooManyInARow')
    base.db.prepare("update user set role = 'rootadmin'").run()
    expect(base.writer.runBatch([fifth]).results[0]?.answer).toMatchObject({ success: true })
  })

  it('[REG-10] refuses a session that has ended or belongs to another user', () => {
    const can = base.addMember('can')
    const stolen = sendMessageJob('x', { actor: { userId: can, sessionId: actor?.sessionId ?? 0 } })
    expect(base.writer.runBatch([stolen]).results[0]?.refusal?.code).toBe('SessionEnded')
    base.run({ command: 'endSession', actor })
    for (const command of ['sendMessage', 'touchSession', 'openGuestSession'] as const) {
      expect(base.writer.runBatch([sendMessageJob('x', { command })]).results[0]?.refusal?.code).toBe('SessionEnded')
    }
    expect(messages()).toEqual([])
  })

  it('[REG-09] [REG-10] repeats the first answer to a second logout under the same id', () => {
    const out: WriteJob = { ...sendMessageJob(''), command: 'endSession', input: {} }
    expect(base.writer.runBatch([out, out]).results.map(({ answer }) => answer)).toEqual([
      { ended: true },
      { ended: true },
    ])
    expect(base.writer.runBatch([{ ...out, clientId: 'another' }]).results[0]?.refusal?.code).toBe('SessionEnded')
  })
})
