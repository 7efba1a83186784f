import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_BLOCKS } from '../../kernel/live/visibility.ts'
import { listLatestMessages } from '../../model/conversations/room-messages.ts'
import { query } from '../../model/schema/query.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'

describe('the sendMessage command', () => {
  let database: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    database = await openTestDatabase()
    ada = database.addMember('ada')
    can = database.addMember('can')
  })
  afterEach(() => database.close())

  const send = (userId: number, content = 'söz', { inRoomForMs = 60_000 }: { inRoomForMs?: number | null } = {}) => {
    const clientId = randomUUID()
    const actor = { userId, sessionId: userId }
    return database.run({
      command: 'sendMessage',
      actor,
      clientId,
      input: { roomId: 1, content, clientId, inRoomForMs },
    })
  }
  const countMessagesOf = (userId: number) =>
    database.db.prepare('select count(*) from message where senderId = ?').pluck().get(userId)

  it('[CHAT-02] answers success for text without visible characters, and writes no row or event', () => {
    for (const content of ['', '  \n ', '\u200b\u200d']) expect(send(ada, content).answer).toEqual({ success: true })
    expect([countMessagesOf(ada), database.read.cursor()]).toEqual([0, 0])
  })

  it('[CHAT-05] refuses within ten seconds of joining, with the time to wait', () => {
    expect(send(ada, 'x', { inRoomForMs: 3_000 }).refusal).toEqual({
      code: 'JustJoined',
      message: 'Odaya yeni katıldığınız için mesaj göndebilmek için 10 saniye beklemeniz gerekiyor.',
      waitMs: 7_000,
    })
    expect(send(ada, 'x', { inRoomForMs: 10_000 }).answer).toMatchObject({ success: true })
  })

  it('[CHAT-06] [CHAT-07] refuses a fifth consecutive message for thirty seconds, then restarts the count', () => {
    for (let i = 0; i < 4; i++) expect(send(ada).refusal).toBeUndefined()
    database.clock.now += 29_999
    expect(send(ada).refusal).toEqual({
      code: 'TooManyInARow',
      message: 'Arka arkaya çok fazla mesaj gönderdiniz. Lütfen 30 saniye bekleyiniz.',
      waitMs: 1,
    })
    database.clock.now += 1
    for (let i = 0; i < 4; i++) expect(send(ada).refusal).toBeUndefined()
    expect(send(ada).refusal?.code).toBe('TooManyInARow')
    expect(send(can).refusal).toBeUndefined()
    expect(send(ada).refusal).toBeUndefined()
  })

  it('[CHAT-06] counts consecutive messages per room', () => {
    for (let i = 0; i < 4; i++) send(ada)
    const clientId = randomUUID()
    const elsewhere = { roomId: 2, content: 'x', clientId, inRoomForMs: 60_000 }
    const actor = { userId: ada, sessionId: ada }
    const result = database.run({
      command: 'sendMessage',
      actor,
      clientId,
      input: elsewhere,
    })
    expect(result.answer).toMatchObject({ success: true })
  })

  it('keeps the order of messages and refuses nobody when the clock is set back an hour', () => {
    for (let i = 1; i <= 4; i++) send(ada, `${i}. söz`)
    database.clock.now -= 60 * 60_000
    expect(send(ada, '5. söz').refusal).toBeUndefined()
    const shown = listLatestMessages(database.read, 1, {
      userId: can,
      sessionId: 1,
      role: 'member',
      blockedIds: NO_BLOCKS,
    })
    expect(shown.toSorted((a, b) => a.createdAt - b.createdAt)).toEqual(shown)
    expect(shown.at(-1)?.content).toBe('5. söz')
  })

  it('[CHAT-08] exempts root admins, the owner of the room and its admins', () => {
    const root = database.addMember('kök', 'rootadmin')
    database.db.prepare('insert into roomAdmin values (1, ?)').run(ada)
    database.db.prepare('update room set ownerId = ? where id = 1').run(can)
    for (const userId of [root, ada, can]) {
      for (let i = 0; i < 9; i++) expect(send(userId, 'x', { inRoomForMs: 0 }).refusal).toBeUndefined()
    }
  })

  it('[CHAT-11] [ROOM-06] refuses a sender outside the room and an inactive room', () => {
    expect(send(ada, 'x', { inRoomForMs: null }).refusal?.code).toBe('NotInRoom')
    database.db.prepare('update room set isActive = 0 where id = 1').run()
    expect(send(ada).refusal?.code).toBe('RoomNotFound')
  })

  it('[CHAT-01] fills a page with the latest 40 messages that the viewer may see, oldest first', () => {
    database.db.prepare('insert into roomAdmin values (1, ?)').run(ada)
    for (let i = 1; i <= 45; i++) send(ada, `${i}. söz`)
    database.db.prepare("update message set audience = 'actor' where content = '44. söz'").run()
    const shownTo = (userId: number) =>
      listLatestMessages(database.read, 1, { userId, sessionId: 1, role: 'member', blockedIds: NO_BLOCKS }).map(
        ({ content }) => content,
      )
    expect(shownTo(ada)).toEqual(Array.from({ length: 40 }, (_, index) => `${index + 6}. söz`))
    expect(shownTo(can)).not.toContain('44. söz')
  })
})

describe('the sendMessage handler', () => {
  let site: TestRegion
  let ada: TestUser
  let can: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createGuest('ada')
    can = await site.createGuest('can')
  })
  afterEach(() => site.destroy())

  it('[CHAT-10] [CHAT-13] [LIVE-03] answers once the message is stored, and everyone in the room receives it', async () => {
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

  it('[CHAT-14] applies the same clientId once, also over another connection', async () => {
    const first = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    const input = { roomId: 1, content: 'bir kere', clientId: randomUUID() }
    const answer = await first.request('sendMessage', input)
    first.disconnect()
    await site.restart()
    const reconnected = await site.connectAs(ada)
    expect(await reconnected.request('sendMessage', input)).toEqual(answer)
    expect(
      listLatestMessages(site.appContext.reader, 1, { ...ada, role: 'guest', blockedIds: NO_BLOCKS }),
    ).toHaveLength(1)
  })

  it('[CHAT-02] stores no answer for text without visible characters', async () => {
    const client = await site.connectAs(ada)
    for (const content of ['', ' \n', '\u200b']) {
      const sent = await client.request('sendMessage', { roomId: 1, content, clientId: randomUUID() })
      expect(sent).toEqual({ success: true })
    }
    const answers = query()((db) => db.selectFrom('commandAnswer').select('clientId'))
    expect(site.appContext.reader.all(answers)).toEqual([])
  })

  it('[CHAT-15] refuses a message over 2,000 characters', async () => {
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
