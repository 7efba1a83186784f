import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../database/query.ts'
import { NO_BLOCKS } from '../live/visibility.ts'
import { openTestDatabase, type TestDatabase } from '../testing/fixtures/test-database.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../testing/fixtures/test-region.ts'
import { listLatestMessages } from './queries.ts'

describe('sendMessage, in the writer', () => {
  let base: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    base = await openTestDatabase()
    ada = base.addMember('ada')
    can = base.addMember('can')
  })
  afterEach(() => base.close())

  const say = (userId: number, content = 'söz', { inRoomForMs = 60_000 }: { inRoomForMs?: number | null } = {}) => {
    const clientId = randomUUID()
    const actor = { userId, sessionId: userId }
    return base.run({
      command: 'sendMessage',
      actor,
      clientId,
      input: { roomId: 1, content, clientId, inRoomForMs },
    })
  }
  const saidBy = (userId: number) =>
    base.db.prepare('select count(*) from message where senderId = ?').pluck().get(userId)

  it('[CHAT-02] ignores what has nothing to see: success, no row, no event', () => {
    for (const content of ['', '  \n ', '\u200b\u200d']) expect(say(ada, content).answer).toEqual({ success: true })
    expect([saidBy(ada), base.read.cursor()]).toEqual([0, 0])
  })

  it('[CHAT-05] refuses within ten seconds of joining, and says how long to wait', () => {
    expect(say(ada, 'x', { inRoomForMs: 3_000 }).refusal).toEqual({
      code: 'JustJoined',
      message: 'Odaya yeni katıldığınız için mesaj göndebilmek için 10 saniye beklemeniz gerekiyor.',
      waitMs: 7_000,
    })
    expect(say(ada, 'x', { inRoomForMs: 10_000 }).answer).toMatchObject({ success: true })
  })

  it('[CHAT-06] [CHAT-07] refuses a fifth in a row for thirty seconds, then counts anew', () => {
    for (let i = 0; i < 4; i++) expect(say(ada).refusal).toBeUndefined()
    base.clock.now += 29_999
    expect(say(ada).refusal).toEqual({
      code: 'TooManyInARow',
      message: 'Arka arkaya çok fazla mesaj gönderdiniz. Lütfen 30 saniye bekleyiniz.',
      waitMs: 1,
    })
    base.clock.now += 1
    for (let i = 0; i < 4; i++) expect(say(ada).refusal).toBeUndefined()
    expect(say(ada).refusal?.code).toBe('TooManyInARow')
    expect(say(can).refusal).toBeUndefined()
    expect(say(ada).refusal).toBeUndefined()
  })

  it('[CHAT-06] counts each room by itself', () => {
    for (let i = 0; i < 4; i++) say(ada)
    const clientId = randomUUID()
    const elsewhere = { roomId: 2, content: 'x', clientId, inRoomForMs: 60_000 }
    const actor = { userId: ada, sessionId: ada }
    const done = base.run({
      command: 'sendMessage',
      actor,
      clientId,
      input: elsewhere,
    })
    expect(done.answer).toMatchObject({ success: true })
  })

  it('keeps the order of what was said, and makes nobody wait for long, when the clock is set back an hour', () => {
    for (let i = 1; i <= 4; i++) say(ada, `${i}. söz`)
    base.clock.now -= 60 * 60_000
    expect(say(ada, '5. söz').refusal).toBeUndefined()
    const shown = listLatestMessages(base.read, 1, { userId: can, sessionId: 1, role: 'member', blockedIds: NO_BLOCKS })
    expect(shown.toSorted((a, b) => a.createdAt - b.createdAt)).toEqual(shown)
    expect(shown.at(-1)?.content).toBe('5. söz')
  })

  it('[CHAT-08] exempts root admins, the owner of the room and its admins', () => {
    const root = base.addMember('kök', 'rootadmin')
    base.db.prepare('insert into roomAdmin values (1, ?)').run(ada)
    base.db.prepare('update room set ownerId = ? where id = 1').run(can)
    for (const userId of [root, ada, can]) {
      for (let i = 0; i < 9; i++) expect(say(userId, 'x', { inRoomForMs: 0 }).refusal).toBeUndefined()
    }
  })

  it('[CHAT-11] [ROOM-06] refuses who is not in the room, and a room that is not there or not active', () => {
    expect(say(ada, 'x', { inRoomForMs: null }).refusal?.code).toBe('NotInRoom')
    base.db.prepare('update room set isActive = 0 where id = 1').run()
    expect(say(ada).refusal?.code).toBe('RoomNotFound')
  })

  it('[CHAT-01] pages show the latest 40 a viewer may see, oldest first', () => {
    base.db.prepare('insert into roomAdmin values (1, ?)').run(ada)
    for (let i = 1; i <= 45; i++) say(ada, `${i}. söz`)
    base.db.prepare("update message set audience = 'actor' where content = '44. söz'").run()
    const shownTo = (userId: number) =>
      listLatestMessages(base.read, 1, { userId, sessionId: 1, role: 'member', blockedIds: NO_BLOCKS }).map(
        ({ content }) => content,
      )
    expect(shownTo(ada)).toEqual(Array.from({ length: 40 }, (_, index) => `${index + 6}. söz`))
    expect(shownTo(can)).not.toContain('44. söz')
  })
})

describe('sendMessage, over the line', () => {
  let site: TestRegion
  let ada: TestUser
  let can: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createGuest('ada')
    can = await site.createGuest('can')
  })
  afterEach(() => site.destroy())

  it('[CHAT-10] [CHAT-13] [LIVE-03] is answered when durable and heard by everyone in the room', async () => {
    const [first, second] = [await site.connectAs(ada, 1), await site.connectAs(can, 1)]
    const elsewhere = await site.connectAs(await site.createGuest('deniz'), 2)
    site.clockOffset.aheadMs += 11_000
    const clientId = randomUUID()
    const answer = await first.request('sendMessage', { roomId: 1, content: 'ılık :)', clientId })
    expect(answer).toEqual({ success: true, id: 1, createdAt: expect.any(Number) })
    const onPage = listLatestMessages(site.appContext.reader, 1, { ...can, role: 'guest', blockedIds: NO_BLOCKS })
    for (const client of [first, second]) {
      const message = await client.waitForEvent('message')
      expect(message).toMatchObject({
        id: 1,
        roomId: 1,
        content: 'Ilık 🙂',
        clientId,
        senderUsername: 'ada',
        senderIsGuest: true,
      })
      expect([message]).toEqual(onPage)
    }
    expect(elsewhere.countEvents('message')).toBe(0)
  })

  it('[CHAT-14] the same clientId on another connection has one effect', async () => {
    const first = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    const said = { roomId: 1, content: 'bir kere', clientId: randomUUID() }
    const answer = await first.request('sendMessage', said)
    first.disconnect()
    await site.restart()
    const again = await site.connectAs(ada)
    expect(await again.request('sendMessage', said)).toEqual(answer)
    expect(
      listLatestMessages(site.appContext.reader, 1, { ...ada, role: 'guest', blockedIds: NO_BLOCKS }),
    ).toHaveLength(1)
  })

  it('[CHAT-02] what has nothing to see is not kept, however often it is sent', async () => {
    const client = await site.connectAs(ada)
    for (const content of ['', ' \n', '\u200b']) {
      const sent = await client.request('sendMessage', { roomId: 1, content, clientId: randomUUID() })
      expect(sent).toEqual({ success: true })
    }
    const answers = query()((db) => db.selectFrom('commandAnswer').select('clientId'))
    expect(site.appContext.reader.all(answers)).toEqual([])
  })

  it('[CHAT-15] a message is at most 2,000 characters', async () => {
    const client = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    expect(await client.request('sendMessage', { roomId: 1, content: 'x'.repeat(2_001) })).toMatchObject({
      path: 'content',
    })
    expect(await client.request('sendMessage', { roomId: 1, content: 'x'.repeat(2_000) })).toMatchObject({
      success: true,
    })
  })
})
