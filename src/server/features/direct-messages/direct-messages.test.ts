import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_NEW_CONVERSATIONS, NEW_CONVERSATION_WINDOW_MS } from '../../../shared/direct-messages/limits.ts'
import type { ConversationEntry, DirectMessage } from '../../../shared/direct-messages/message.ts'
import { type RefusalBody, refusals } from '../../../shared/protocol/refusals.ts'
import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import type { Privacy } from '../../../shared/settings/rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { authorized, send, sent } from '../../testing/fixtures/direct-messages.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { sweepAccounts } from '../accounts/users/sweep-accounts.ts'
import { followRoutes } from '../relations/follow-routes.ts'
import { relationRoutes } from '../relations/routes.ts'
import { purgeDirectMessages } from './delete-conversation.ts'
import { directMessageRoutes } from './routes.ts'

let api: TestApi
let ada: TestUser
let can: TestUser
let deniz: TestUser
let clients: Record<'ada' | 'can' | 'deniz', TestClient>
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => {
    directMessageRoutes(app, appContext)
    followRoutes(app, appContext)
    relationRoutes(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  const { region } = api
  turn++
  ada = await region.createMember(`ada${turn}`)
  can = await region.createMember(`can${turn}`)
  deniz = await region.createMember(`deniz${turn}`)
  clients = { ada: await region.connectAs(ada), can: await region.connectAs(can), deniz: await region.connectAs(deniz) }
})

const open = async (client: TestClient, other: TestUser) => {
  const before = client.countEvents('dmSessionStarted')
  const answer = await client.request('dmSessionStart', { recipientUsername: other.username })
  if (!('cursor' in answer)) return answer
  let seen = 0
  const payload = await client.waitForEvent('dmSessionStarted', () => ++seen > before)
  return payload as unknown as { messages: DirectMessage[]; recipientInfo: { id: number }; showsMedia: boolean }
}
const contents = ({ messages }: { messages: DirectMessage[] }) => messages.map(({ content }) => content)
const listOf = async (user: TestUser) => {
  const { body } = await api.get('/api/dm/userconversations', authorized(user))
  return body as unknown as { conversations: ConversationEntry[]; unreadCount: number; next: number | null }
}
const setPrivacy = (client: TestClient, messagePrivacy: Privacy) =>
  client.request('updatePrivacySettings', { messagePrivacy })
const block = (actor: TestUser, other: TestUser, way = 'block') =>
  api.post(`/api/users/${way}`, { blockedUsername: other.username }, authorized(actor))

/** Lets time pass in rows. */
function changeRows(sql: string, id: number): void {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  db.prepare(sql).run(id)
  db.close()
}

describe('direct messages', () => {
  it('[DM-01] reach all connections of both users and nobody else', async () => {
    const secondTab = await api.region.connectAs(ada)
    const cursor = api.region.appContext.reader.cursor()
    const message = await sent(clients.ada, can, 'merhaba :)')
    expect(api.region.appContext.reader.cursor()).toBe(cursor + 1)
    expect(message).toMatchObject({ content: 'Merhaba 🙂', senderId: ada.userId, recipientId: can.userId, read: false })
    for (const client of [clients.ada, secondTab, clients.can])
      expect(await client.waitForEvent('directMessage')).toMatchObject({ id: message.id, content: 'Merhaba 🙂' })
    await clients.deniz.request('getRooms', {})
    expect(JSON.stringify(clients.deniz.transport.received)).not.toMatch(/Merhaba|directMessage/)
  })

  it('[DM-02] open with the latest messages and the other user, and page in both directions', async () => {
    const ids: number[] = []
    for (let index = 1; index <= MESSAGES_PER_PAGE + 5; index++)
      ids.push((await sent(clients.ada, can, `M${index}`)).id)
    const opened = await open(clients.can, ada)
    if (!('messages' in opened)) throw new Error('refused')
    expect(opened.recipientInfo).toMatchObject({ id: ada.userId, username: ada.username, messagePrivacy: 'everyone' })
    expect(opened.messages.map(({ id }) => id)).toEqual(ids.slice(5))
    const older = await clients.can.request('getDirectMessages', { userId: ada.userId, before: ids[5] ?? 0 })
    expect(older).toMatchObject({ more: false, messages: ids.slice(0, 5).map((id) => ({ id })) })
    const newer = await clients.can.request('getDirectMessages', { userId: ada.userId, after: ids[42] ?? 0 })
    expect(newer).toMatchObject({ more: false, messages: ids.slice(43).map((id) => ({ id })) })
    const { body } = await api.get(`/api/dm/${can.username}/${ada.username}?before=${ids[3]}`, authorized(can))
    expect(body).toMatchObject({
      more: false,
      messages: ids
        .slice(0, 3)
        .reverse()
        .map((id) => ({ id })),
    })
  })

  it('[DM-03] are listed, opened and fetched by their two users only', async () => {
    const { id } = await sent(clients.ada, can, 'gizli söz')
    expect(await api.get(`/api/dm/${ada.username}/${can.username}`, authorized(deniz))).toMatchObject({
      status: 403,
      body: { code: 'ActorMismatch' },
    })
    expect((await api.get(`/api/dm/userconversations?username=${ada.username}`, authorized(deniz))).body).toMatchObject(
      {
        code: 'ActorMismatch',
      },
    )
    expect(await clients.deniz.request('getDirectMessages', { userId: can.userId, before: id + 1 })).toMatchObject({
      messages: [],
    })
    expect(
      (
        await api.post(
          '/api/dm/report',
          { messageId: id, senderUsername: ada.username, recipientUsername: can.username },
          authorized(deniz),
        )
      ).status,
    ).toBe(404)
    expect(
      await clients.deniz.request('sendDirectMessage', {
        senderUsername: ada.username,
        recipientUsername: can.username,
        content: 'x',
      }),
    ).toMatchObject({ code: 'ActorMismatch' })
    const answer = await open(clients.deniz, can)
    expect('messages' in answer && contents(answer)).toEqual([])
  })

  it('[DM-04] are refused by the recipient’s privacy, a block in either direction, and to oneself', async () => {
    await setPrivacy(clients.can, 'nobody')
    expect(await send(clients.ada, can, 'x')).toEqual({
      code: 'ContactRefused',
      message: 'Mesaj izniniz yok. Bu kişi hiçkimseden mesaj almak istemiyor.',
    })
    await setPrivacy(clients.can, 'followers')
    expect(await send(clients.ada, can, 'x')).toMatchObject({ code: 'ContactRefused' })
    await api.post('/api/follow/follow', { followerId: ada.userId, followingId: can.userId }, authorized(ada))
    expect(await send(clients.ada, can, 'x')).toMatchObject({ success: true })
    await block(can, ada)
    expect(await send(clients.ada, can, 'y')).toMatchObject({
      code: 'ContactRefused',
      message: 'Kullanıcı sizi engelledi',
    })
    expect(await send(clients.can, ada, 'y')).toMatchObject({ message: 'Kullanıcıyı engellediniz' })
    expect(await send(clients.ada, ada, 'y')).toMatchObject({ message: 'Kendinize mesaj gönderemezsiniz' })
    expect(await send(clients.ada, { ...can, username: 'böyle-biri-yok' }, 'y')).toMatchObject({ code: 'NotFound' })
    expect(await send(clients.ada, can, 'y', { recipientId: deniz.userId })).toMatchObject({ code: 'NotFound' })
  })

  it('[DM-05] of a root admin pass privacy and blocks', async () => {
    const root = await api.region.createRootAdmin(`kök${turn}`)
    const rootClient = await api.region.connectAs(root)
    await setPrivacy(clients.can, 'nobody')
    await block(can, root)
    expect(await send(rootClient, can, 'yönetim')).toMatchObject({ success: true })
    await block(root, can)
    expect(await send(clients.can, root, 'x')).toMatchObject({ code: 'ContactRefused' })
  })

  it('[DM-06] are stored once under one clientId, whatever is sent under it again', async () => {
    const clientId = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(clients.ada, can, 'bir kez', { clientId })))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await send(clients.ada, can, 'başka', { clientId })).toEqual(answers[0])
    expect(await send(clients.ada, deniz, 'bir kez', { clientId })).toEqual(answers[0])
    const opened = await open(clients.can, ada)
    expect('messages' in opened && contents(opened)).toEqual(['Bir kez'])
    expect(clients.can.countEvents('directMessage')).toBe(1)
  })

  it('[DM-07] without text and media are ignored', async () => {
    expect(await send(clients.ada, can, ' \n ')).toEqual({ success: true })
    expect((await listOf(can)).conversations).toEqual([])
  })

  it('[DM-56] keep the @ of names that somebody has, and tell nobody but the recipient', async () => {
    const content = `@${deniz.username} ve @[{${can.username}}] geldi, @hickimse${turn} gelmedi`
    const clientId = crypto.randomUUID()
    const message = await sent(clients.ada, can, content, { clientId })
    expect(message).toMatchObject({ content: content.replace('@hickimse', 'hickimse') })
    expect(await sent(clients.ada, can, content, { clientId })).toMatchObject({ id: message.id })
    await clients.deniz.request('getRooms', {})
    expect(JSON.stringify(clients.deniz.transport.received)).not.toMatch(/mentionNotification|directMessage/)
  })

  it('[DM-08] quote messages of their own conversation only', async () => {
    const first = await sent(clients.ada, can, 'soru')
    const elsewhere = await sent(clients.ada, deniz, 'başka yerde')
    expect(await sent(clients.can, ada, 'cevap', { replyTo: { id: first.id } })).toMatchObject({
      replyTo: { id: first.id, content: 'Soru', senderUsername: ada.username },
    })
    expect(await sent(clients.can, ada, 'x', { replyTo: { id: elsewhere.id } })).toMatchObject({
      replyTo: { content: null },
    })
  })
})

describe('quotes of messages without text', () => {
  it('[DM-54] say what the message contains, and its bubble has no text', async () => {
    const db = openForWriting(api.region.appContext.config.databaseFile)
    const upload = db.prepare(
      `insert into directMedia (ownerId, mediaType, originalPath, sizeBytes, createdAt) values (?, 'video', ?, 1, 1)`,
    )
    const { lastInsertRowid } = upload.run(ada.userId, `${'a'.repeat(64)}.mp4`)
    db.close()
    await clients.can.request('updatePrivacySettings', { messageImagePrivacy: 'everyone' })
    const video = await sent(clients.ada, can, '', { mediaId: Number(lastInsertRowid) })
    expect(video).toMatchObject({ content: '', media: { mediaType: 'video' } })
    expect(await sent(clients.can, ada, 'güzel', { replyTo: { id: video.id } })).toMatchObject({
      replyTo: { id: video.id, content: 'Video' },
    })
  })
})

describe('reading', () => {
  it('[DM-09] marks messages up to an id, and is sent to both users once', async () => {
    const first = await sent(clients.ada, can, 'bir')
    const second = await sent(clients.ada, can, 'iki')
    expect(await listOf(can)).toMatchObject({
      unreadCount: 2,
      conversations: [{ id: ada.userId, unreadCount: 2, isOwn: false }],
    })
    const read = (upToId?: number) =>
      clients.can.request('markMessagesAsRead', { otherUsername: ada.username, ...(upToId && { upToId }) })
    await read(first.id)
    const payload = { readerId: can.userId, otherId: ada.userId, upToId: first.id }
    for (const client of [clients.ada, clients.can])
      expect(await client.waitForEvent('messagesRead')).toMatchObject(payload)
    expect(await listOf(can)).toMatchObject({ unreadCount: 1 })
    await read()
    await read()
    await read(first.id)
    expect(await listOf(can)).toMatchObject({ unreadCount: 0, conversations: [{ read: true }] })
    expect(await listOf(ada)).toMatchObject({ conversations: [{ isOwn: true, read: true, lastMessageId: second.id }] })
    await clients.ada.waitForEvent('messagesRead', ({ upToId }) => upToId === second.id)
    await clients.deniz.request('markMessagesAsRead', { otherUsername: ada.username })
    await clients.ada.request('getRooms', {})
    expect(clients.ada.countEvents('messagesRead')).toBe(2)
  })
})

describe('the list of conversations', () => {
  it('[DM-10] has the latest first, with a preview of 30 characters', async () => {
    await sent(clients.ada, can, 'ilk')
    await sent(clients.deniz, ada, 'uzun '.repeat(20))
    const { conversations } = await listOf(ada)
    expect(conversations.map(({ id }) => id)).toEqual([deniz.userId, can.userId])
    expect([...(conversations[0]?.lastMessage ?? '')].length).toBeLessThanOrEqual(31)
    expect(conversations[0]?.lastMessage).toMatch(/…$/)
    await sent(clients.can, ada, 'şimdi ben')
    expect((await listOf(ada)).conversations[0]).toMatchObject({
      id: can.userId,
      lastMessage: 'Şimdi ben',
      isOnline: true,
    })
  })

  it('[DM-11] loses a hidden conversation until its next message, on all devices of the user', async () => {
    await sent(clients.ada, can, 'selam')
    const secondTab = await api.region.connectAs(can)
    const hide = () =>
      api.post('/api/conversation-status/hideconversation', { targetUsername: ada.username }, authorized(can))
    expect((await hide()).body).toEqual({ success: true, message: 'Konuşma başarıyla gizlendi.' })
    expect(await secondTab.waitForEvent('conversationHidden')).toEqual({ username: ada.username, userId: ada.userId })
    expect(await listOf(can)).toMatchObject({ conversations: [], unreadCount: 0 })
    expect((await listOf(ada)).conversations).toHaveLength(1)
    await clients.ada.request('getRooms', {})
    expect(clients.ada.countEvents('conversationHidden')).toBe(0)
    await sent(clients.ada, can, 'yine')
    expect(await listOf(can)).toMatchObject({ conversations: [{ lastMessage: 'Yine', unreadCount: 1 }] })
  })

  it('[DM-08] [DM-12] hears no text that the user has deleted in a quote of the other user', async () => {
    const { id } = await sent(clients.ada, can, 'sır')
    await api.post('/api/dm/delete', { targetUsername: can.username }, authorized(ada))
    const [replyTo, clientId] = [{ id }, crypto.randomUUID()]
    const reply = await sent(clients.can, ada, 'cevap', { replyTo })
    expect(reply).toMatchObject({ replyTo: { id, content: 'Sır' } })
    const received = await clients.ada.waitForEvent('directMessage', (message) => message.id === reply.id)
    expect(received).toMatchObject({ replyTo: { id, content: null } })
    for (const _ of ['first', 'again'])
      expect(await sent(clients.ada, can, 'yine', { replyTo, clientId })).toMatchObject({ replyTo: { content: null } })
  })

  it('[DM-12] loses a deleted conversation for one user; deleted by both, its rows go once there is a newer message', async () => {
    await sent(clients.ada, can, 'eski')
    const remove = (user: TestUser, other: TestUser) =>
      api.post('/api/dm/delete', { targetUsername: other.username }, authorized(user))
    expect((await remove(ada, can)).body).toEqual({ success: true })
    expect((await listOf(ada)).conversations).toEqual([])
    const [own, others] = [await open(clients.ada, can), await open(clients.can, ada)]
    expect(['messages' in own && contents(own), 'messages' in others && contents(others)]).toEqual([[], ['Eski']])
    await clients.can.request('getRooms', {})
    expect(clients.can.countEvents('dmCleared')).toBe(0)
    const { execute } = api.region.appContext
    expect(await execute(purgeDirectMessages, null, {})).toEqual({ removed: 0 })
    await remove(can, ada)
    expect(await execute(purgeDirectMessages, null, {})).toEqual({ removed: 0 })
    await sent(clients.ada, can, 'yeni')
    expect(await execute(purgeDirectMessages, null, {})).toEqual({ removed: 1 })
    const again = await open(clients.ada, can)
    expect('messages' in again && contents(again)).toEqual(['Yeni'])
  })

  it('[DM-13] pages 30 at a time', async () => {
    const others: TestUser[] = []
    for (let index = 0; index < 33; index++) others.push(await api.region.createGuest(`çok${turn}x${index}`))
    for (const other of others) await sent(await api.region.connectAs(other), ada, 'selam')
    const first = await listOf(ada)
    expect([first.conversations.length, first.unreadCount]).toEqual([30, 33])
    const { body } = await api.get(`/api/dm/userconversations?before=${first.next}`, authorized(ada))
    expect(body).toMatchObject({
      next: null,
      conversations: others
        .slice(0, 3)
        .reverse()
        .map(({ userId }) => ({ id: userId })),
    })
  })
})

describe('guests', () => {
  it('[DM-14] write and are written to, and their conversations go with them on both sides', async () => {
    const guest = await api.region.createGuest(`konuk${turn}`)
    const guestClient = await api.region.connectAs(guest)
    await sent(guestClient, ada, 'merhaba')
    await sent(clients.ada, guest, 'hoş geldin')
    guestClient.disconnect()
    changeRows('update user set lastSeenAt = 0 where id = ?', guest.userId)
    await api.region.appContext.execute(sweepAccounts, null, {})
    expect(await clients.ada.waitForEvent('dmCleared')).toEqual({ username: guest.username, userId: guest.userId })
    expect((await listOf(ada)).conversations).toEqual([])
    expect(await send(clients.ada, guest, 'orada mısın')).toMatchObject({ code: 'NotFound' })
  })
})

describe('limits', () => {
  it('[DM-15] let a user write to 20 new users in ten minutes, and on to users they know', async () => {
    const others: TestUser[] = []
    for (let index = 0; index <= MAX_NEW_CONVERSATIONS; index++)
      others.push(await api.region.createGuest(`yeni${turn}x${index}`))
    for (const other of others.slice(0, MAX_NEW_CONVERSATIONS)) await sent(clients.ada, other, 'selam')
    const refused = await send(clients.ada, others.at(-1) ?? can, 'selam')
    expect(refused).toMatchObject({ code: 'TooManyConversations', message: refusals.TooManyConversations.message })
    const { waitMs = 0 } = refused as RefusalBody // the code is that of a refusal
    expect(waitMs).toBeGreaterThan(NEW_CONVERSATION_WINDOW_MS - 60_000)
    expect(waitMs).toBeLessThanOrEqual(NEW_CONVERSATION_WINDOW_MS)
    expect(await send(clients.ada, others[0] ?? can, 'yine')).toMatchObject({ success: true })
    changeRows('update conversationSide set startedAt = startedAt - 600000 where userId = ?', ada.userId)
    expect(await send(clients.ada, others.at(-1) ?? can, 'selam')).toMatchObject({ success: true })
  })
})

describe('reports', () => {
  it('[DM-16] keep the message with up to five around it, once per reporter, and the reported user learns nothing', async () => {
    const ids: number[] = []
    for (let index = 1; index <= 9; index++)
      ids.push((await sent(index === 5 ? clients.can : clients.ada, index === 5 ? ada : can, `M${index}`)).id)
    const report = (messageId: number | undefined, user = can) =>
      api.post(
        '/api/dm/report',
        { messageId, senderUsername: ada.username, recipientUsername: can.username },
        authorized(user),
      )
    clients.ada.transport.received.length = 0
    expect((await report(ids[5])).body).toEqual({ success: true, message: 'Mesaj bildirildi.' })
    expect((await report(ids[5])).body).toMatchObject({ success: true })
    expect((await report(ids[4])).status).toBe(404)
    const db = openForWriting(api.region.appContext.config.databaseFile)
    const reports = db
      .prepare(
        "select content, reportedId from report join reportContent on id = reportId where kind = 'directMessage' and subjectId = ?",
      )
      .all(ids[5]) as { content: string; reportedId: number }[]
    db.close()
    expect(reports).toHaveLength(1)
    expect(reports[0]?.reportedId).toBe(ada.userId)
    const kept = JSON.parse(reports[0]?.content ?? '{}') as { messages: { content: string }[] }
    expect(kept.messages.map(({ content }) => content)).toEqual(['M3', 'M4', 'M5', 'M6', 'M7', 'M8'])
    await clients.ada.request('getRooms', {})
    expect(JSON.stringify(clients.ada.transport.received)).not.toMatch(/report|bildir/i)
  })
})

describe('typing', () => {
  it('[DM-17] is shown to the other user only, and not where one may not write', async () => {
    await clients.ada.request('directTyping', { userId: can.userId })
    expect(await clients.can.waitForEvent('directTyping')).toEqual({ userId: ada.userId, username: ada.username })
    await block(can, ada)
    await clients.ada.request('directTyping', { userId: can.userId })
    for (const client of [clients.can, clients.deniz]) await client.request('getRooms', {})
    expect([clients.can.countEvents('directTyping'), clients.deniz.countEvents('directTyping')]).toEqual([1, 0])
  })

  it('[DM-17] in a flood from several connections is answered, and the other user hears little of it', async () => {
    const connections = await Promise.all([1, 2, 3].map(() => api.region.connectAs(ada)))
    const flood = connections.flatMap((client) =>
      Array.from({ length: 40 }, () => client.request('directTyping', { userId: can.userId })),
    )
    for (const answer of await Promise.all(flood)) expect(answer).toEqual({ success: true })
    // Its answer follows what was sent to it before.
    await clients.can.request('getRooms', {})
    expect(clients.can.countEvents('directTyping')).toBeLessThanOrEqual(6)
    api.region.clockOffset.aheadMs += 5_000
    const before = clients.can.countEvents('directTyping')
    await clients.ada.request('directTyping', { userId: can.userId })
    await expect.poll(() => clients.can.countEvents('directTyping')).toBe(before + 1)
  })
})

describe('pictures of strangers', () => {
  it('[DM-18] [DM-51] are shown once the recipient has written or allowed it, on all devices of the recipient', async () => {
    await sent(clients.ada, can, 'selam')
    const shows = async () => {
      const opened = await open(clients.can, ada)
      return 'messages' in opened && opened.showsMedia
    }
    expect(await shows()).toBe(false)
    const otherDevice = await api.region.connectAs(can)
    await clients.can.request('allowDirectMedia', { userId: ada.userId })
    expect(await shows()).toBe(true)
    for (const client of [clients.can, otherDevice])
      expect(await client.waitForEvent('directMediaAllowed')).toEqual({ userId: ada.userId })
    expect([clients.ada, clients.deniz].map((client) => client.countEvents('directMediaAllowed'))).toEqual([0, 0])
    await sent(clients.deniz, can, 'selam')
    await sent(clients.can, deniz, 'selam')
    const opened = await open(clients.can, deniz)
    expect('messages' in opened && opened.showsMedia).toBe(true)
  })
})
