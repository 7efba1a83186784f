import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MARK_READ_LIMIT } from '../../../shared/direct-messages/limits.ts'
import type { PrivacyChanges } from '../../../shared/settings/rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { authorized, sent } from '../../testing/fixtures/direct-messages.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { followRoutes } from '../relations/follow-routes.ts'
import { relationRoutes } from '../relations/routes.ts'
import { MAX_WATCHED_CONVERSATIONS } from './contact-watch.ts'
import { directMessageRoutes } from './routes.ts'

let api: TestApi
let users: Record<'ada' | 'can' | 'deniz', TestUser>
let clients: Record<'ada' | 'can' | 'deniz', TestClient>
let turn = 0

beforeAll(async () => {
  api = await openTestApi({}, (app, _, { appContext }) => {
    directMessageRoutes(app, appContext)
    followRoutes(app, appContext)
    relationRoutes(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  const { region } = api
  turn++
  const [ada, can, deniz] = await Promise.all(['ada', 'can', 'deniz'].map((name) => region.createMember(name + turn)))
  if (!ada || !can || !deniz) throw new Error('three users')
  users = { ada, can, deniz }
  clients = { ada: await region.connectAs(ada), can: await region.connectAs(can), deniz: await region.connectAs(deniz) }
})

const start = (client: TestClient, { username, userId }: TestUser, more: object = {}) =>
  client.request('dmSessionStart', { recipientUsername: username, recipientId: userId, ...more })
const change = (client: TestClient, changes: PrivacyChanges) => client.request('updatePrivacySettings', changes)
/** Every event that was sent before has arrived then. */
const settle = () => Promise.all(Object.values(clients).map((client) => client.request('getRooms', {})))
const countVerdicts = async () => {
  await settle()
  return Object.values(clients).map((client) => client.countEvents('contactVerdictChanged'))
}
const changeRows = (sql: string, ...values: (number | string)[]) => {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  db.prepare(sql).run(...values)
  db.close()
}

describe('an open conversation', () => {
  it('[DM-72] gets a change of its own verdict, without the setting, and nobody else does', async () => {
    const secondTab = await api.region.connectAs(users.ada)
    await start(clients.ada, users.can)
    await change(clients.can, { messagePrivacy: 'nobody' })
    expect(await clients.ada.waitForEvent('contactVerdictChanged')).toEqual({ userId: users.can.userId })
    expect(await countVerdicts()).toEqual([1, 0, 0])
    await secondTab.request('getRooms', {})
    expect(secondTab.countEvents('contactVerdictChanged')).toBe(0)
    expect(JSON.stringify([clients.deniz.transport.received, secondTab.transport.received])).not.toMatch(/rivacy/)
    // Another reason of the refusal is another verdict; the same setting again is not.
    await change(clients.can, { messagePrivacy: 'followers' })
    await change(clients.can, { messagePrivacy: 'followers' })
    expect(await countVerdicts()).toEqual([2, 0, 0])
  })

  it('[DM-72] gets no change that leaves its verdict, and the one after it', async () => {
    const pair = { followerId: users.ada.userId, followingId: users.can.userId }
    expect((await api.post('/api/follow/follow', pair, authorized(users.ada))).status).toBe(200)
    await start(clients.ada, users.can)
    await start(clients.deniz, users.can)
    await change(clients.can, { messagePrivacy: 'followers', accountPrivacy: 'private' })
    expect(await countVerdicts()).toEqual([0, 0, 1])
    await change(clients.can, { messagePrivacy: 'following' })
    expect(await countVerdicts()).toEqual([1, 0, 2])
  })

  it('[DM-72] is the opened ones of a connection, up to twenty, until they are closed', async () => {
    await start(clients.ada, users.can)
    await clients.ada.request('dmSessionEnd', { recipientUsername: users.can.username })
    await change(clients.can, { messagePrivacy: 'nobody' })
    expect(await countVerdicts()).toEqual([0, 0, 0])

    await start(clients.ada, users.can)
    for (let index = 0; index < MAX_WATCHED_CONVERSATIONS; index++)
      await start(clients.ada, await api.region.createGuest(`dolu${turn}x${index}`))
    await start(clients.deniz, users.can)
    await change(clients.can, { messagePrivacy: 'everyone' })
    expect(await countVerdicts()).toEqual([0, 0, 1])
  })

  it('[DM-74] is found by the id of a user who has another name now, where the two have written', async () => {
    await sent(clients.ada, users.can, 'selam')
    changeRows(
      'update user set username = ?, foldedName = ? where id = ?',
      `canan${turn}`,
      `canan${turn}`,
      users.can.userId,
    )
    expect(await start(clients.ada, users.can)).toMatchObject({ success: true, userId: users.can.userId })
    const started = await clients.ada.waitForEvent('dmSessionStarted')
    expect(started).toMatchObject({ recipientInfo: { id: users.can.userId, username: `canan${turn}` } })
    expect(await sent(clients.ada, users.can, 'yine', { recipientId: users.can.userId })).toMatchObject({
      recipientUsername: `canan${turn}`,
    })
    expect(await start(clients.deniz, users.can)).toMatchObject({ code: 'NotFound' })
    expect(await start(clients.deniz, users.ada, { recipientId: users.can.userId })).toMatchObject({ code: 'NotFound' })
  })

  it('[DM-55] opens with how far its user has read, and how much is unread', async () => {
    const first = await sent(clients.ada, users.can, 'bir')
    for (const text of ['iki', 'üç']) await sent(clients.ada, users.can, text)
    await start(clients.can, users.ada)
    expect(await clients.can.waitForEvent('dmSessionStarted')).toMatchObject({ readUpToId: 0, unreadCount: 3 })
    await clients.can.request('markMessagesAsRead', { otherUsername: users.ada.username, upToId: first.id })
    await start(clients.can, users.ada)
    const isRead = ({ readUpToId }: Record<string, unknown>) => readUpToId === first.id
    expect(await clients.can.waitForEvent('dmSessionStarted', isRead)).toMatchObject({ unreadCount: 2 })
    const from = { userId: users.ada.userId, after: 0 }
    expect(await clients.can.request('getDirectMessages', from)).toMatchObject({ messages: { length: 3 } })
    await start(clients.ada, users.can)
    expect(await clients.ada.waitForEvent('dmSessionStarted')).toMatchObject({ readUpToId: 0, unreadCount: 0 })
  })
})

describe('marking messages as read', () => {
  it('[DM-73] is allowed 240 times in a minute, and once more after the wait', async () => {
    stopClock()
    expect(MARK_READ_LIMIT).toEqual({ points: 240, perMs: 60_000 })
    const mark = (client: TestClient) => client.request('markMessagesAsRead', { otherUsername: users.can.username })
    const { personLimiters, clock } = api.region.appContext
    for (let count = 1; count < MARK_READ_LIMIT.points; count++)
      expect(personLimiters.consume(MARK_READ_LIMIT, users.ada.userId, clock())).toBe(0)
    expect(await mark(clients.ada)).toEqual({ success: true })
    expect(await mark(clients.ada)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    expect(await mark(clients.deniz)).toEqual({ success: true })
    vi.setSystemTime(Date.now() + 250)
    expect(await mark(clients.ada)).toEqual({ success: true })
  })

  it('[DM-73] counts few rows of many: next to either end exactly, and never too few', async () => {
    const { id: firstId } = await sent(clients.ada, users.can, 'bir')
    const ids = addMessages(firstId, 1_999)
    const unreadAfter = async (upToId?: number) => {
      const input = { otherUsername: users.ada.username, ...(upToId !== undefined && { upToId }) }
      expect(await clients.can.request('markMessagesAsRead', input)).toEqual({ success: true })
      const { body } = await api.get('/api/dm/userconversations', authorized(users.can))
      return body.unreadCount
    }
    expect(await unreadAfter(firstId)).toBe(1_999)
    expect(await unreadAfter(ids[99])).toBe(1_899)
    expect(await unreadAfter(ids[49])).toBe(1_899)
    expect(await unreadAfter(ids[1_199])).toBeGreaterThanOrEqual(799)
    expect(await unreadAfter(ids[1_989])).toBe(9)
    expect(await unreadAfter()).toBe(0)
    await clients.ada.waitForEvent('messagesRead', ({ upToId }) => upToId === ids.at(-1))
    await settle()
    expect([clients.ada, clients.can, clients.deniz].map((client) => client.countEvents('messagesRead'))).toEqual([
      5, 5, 0,
    ])
  })
})

/** Adds copies of a message to its conversation, unread; returns their ids. */
function addMessages(firstId: number, count: number): number[] {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const copy = db.prepare(
    `insert into directMessage (conversationId, senderId, content, mediaId, replyToId, clientId, createdAt)
     select conversationId, senderId, content, mediaId, replyToId, ?, createdAt from directMessage where id = ?`,
  )
  const ids = Array.from({ length: count }, () => Number(copy.run(crypto.randomUUID(), firstId).lastInsertRowid))
  db.prepare(
    `update conversationSide set unreadCount = unreadCount + ?, lastMessageId = ?
     where userId = ? and conversationId = (select conversationId from directMessage where id = ?)`,
  ).run(count, ids.at(-1), users.can.userId, firstId)
  db.close()
  return ids
}
