import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_BLOCKS } from '../../kernel/live/visibility.ts'
import { listLatestMessages, listMessages } from '../../model/conversations/room-messages.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'

describe('listMessages', () => {
  let base: TestDatabase
  let ada: number
  let can: number
  beforeEach(async () => {
    base = await openTestDatabase()
    ada = base.addMember('ada', 'rootadmin')
    can = base.addMember('can')
    const insert = base.db.prepare(
      'insert into message (id, roomId, senderId, content, consecutiveCount, clientId, createdAt) values (?, ?, ?, ?, 0, ?, 0)',
    )
    for (let id = 1; id <= 200; id++) insert.run(id, id % 2 ? 1 : 2, ada, `${id}`, randomUUID())
  })
  afterEach(() => base.close())

  const page = (id: number, side: 'before' | 'after', by = can) => {
    const viewer = { userId: by, sessionId: by, role: 'member' as const, blockedIds: NO_BLOCKS }
    const { messages, more } = listMessages(base.read, viewer, { roomId: 1, id, side })
    return { ids: messages.map((message) => message.id), more }
  }
  const odd = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + 2 * index)

  it('[CHAT-30] pages backwards by 40 without gaps to the start of the room', () => {
    expect(page(Number.MAX_SAFE_INTEGER, 'before')).toEqual({ ids: odd(121, 40), more: true })
    expect(page(121, 'before')).toEqual({ ids: odd(41, 40), more: true })
    expect(page(41, 'before')).toEqual({ ids: odd(1, 20), more: false })
    expect(page(81, 'before')).toEqual({ ids: odd(1, 40), more: false })
    expect(page(1, 'before')).toEqual({ ids: [], more: false })
  })

  it('[CHAT-30] pages forwards to the latest message', () => {
    expect(page(50, 'after')).toEqual({ ids: odd(51, 40), more: true })
    expect(page(121, 'after')).toEqual({ ids: odd(123, 39), more: false })
    expect(page(199, 'after')).toEqual({ ids: [], more: false })
  })

  it('[CHAT-31] fills a page although the viewer may not see most of the room', () => {
    base.db.prepare("update message set audience = 'actor' where id between 60 and 198").run()
    expect(page(200, 'before')).toEqual({ ids: [...odd(1, 30), 199].slice(-40), more: false })
    expect(page(200, 'before', ada)).toEqual({ ids: odd(121, 40), more: true })
    const viewer = { userId: can, sessionId: can, role: 'member' as const, blockedIds: NO_BLOCKS }
    expect(listLatestMessages(base.read, 1, viewer)).toHaveLength(31)
  })

  it('[CHAT-31] leaves out deleted messages', () => {
    base.db.prepare('delete from message where id > 100').run()
    expect(page(200, 'before').ids).toEqual(odd(21, 40))
  })
})

describe('getMessages', () => {
  let site: TestRegion
  let ada: TestUser
  let can: TestUser
  beforeEach(async () => {
    site = await openTestRegion()
    ada = await site.createGuest('ada')
    can = await site.createGuest('can')
  })
  afterEach(() => site.destroy())

  it('[CHAT-30] answers only connections in the room, with the messages of their events', async () => {
    const client = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await client.request('sendMessage', { roomId: 1, content: 'bir' })
    const received = await client.waitForEvent('message')
    const late = await site.connectAs(can, 1)
    expect(await late.request('getMessages', { roomId: 1 })).toEqual({ roomId: 1, messages: [received], more: false })
    expect(await late.request('getMessages', { roomId: 1, before: 1 })).toEqual({
      roomId: 1,
      messages: [],
      more: false,
    })
    const elsewhere = await site.connectAs(can, 2)
    for (const range of [{}, { before: 9 }, { after: 1 }]) {
      const answer = await elsewhere.request('getMessages', { roomId: 1, ...range })
      expect(answer).toMatchObject({ code: 'NotInRoom', message: 'Mesajları görmek için önce odaya girmelisin.' })
    }
  })

  it('[CHAT-30] refuses before together with after, and more than thirty pages at once', async () => {
    stopClock()
    const client = await site.connectAs(ada, 1)
    const both = await client.request('getMessages', { roomId: 1, before: 3, after: 1 })
    expect(both).toMatchObject({ code: 'InvalidInput', path: 'after' })
    const answers = []
    for (let i = 0; i < 40; i++) answers.push(await client.request('getMessages', { roomId: 1, before: 3 }))
    expect(answers.at(-1)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    expect(await (await site.connectAs(can, 1)).request('getMessages', { roomId: 1 })).toHaveProperty('messages')
  })
})
