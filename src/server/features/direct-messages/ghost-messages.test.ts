import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_NEW_CONVERSATIONS } from '../../../shared/direct-messages/limits.ts'
import type { ConversationEntry, DirectMessage } from '../../../shared/direct-messages/message.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { authorized, send, sent } from '../../testing/fixtures/direct-messages.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { createPicture } from '../../testing/fixtures/test-pictures.ts'
import { sendHello, type TestClient, type TestUser } from '../../testing/fixtures/test-region.ts'
import { ghostBanGuest } from '../moderation/ghost-ban-guest.ts'
import { liftBan } from '../moderation/lift-ban.ts'
import { relationRoutes } from '../relations/routes.ts'
import { directMessageRoutes } from './routes.ts'

type Name = 'ghost' | 'can' | 'deniz' | 'admin'

let api: TestApi
let users: Record<Name, TestUser>
let clients: Record<Name, TestClient>
let turn = 0

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, { appContext }) => {
    directMessageRoutes(app, appContext)
    relationRoutes(app, appContext)
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  const { region } = api
  turn++
  users = {
    ghost: await region.createGuest(`hayalet${turn}`),
    can: await region.createMember(`can${turn}`),
    deniz: await region.createMember(`deniz${turn}`),
    admin: await region.createRootAdmin(`kök${turn}`),
  }
  clients = {
    ghost: await region.connectAs(users.ghost),
    can: await region.connectAs(users.can),
    deniz: await region.connectAs(users.deniz),
    admin: await region.connectAs(users.admin),
  }
})

const ban = (name: Name = 'ghost') =>
  api.region.appContext.execute(ghostBanGuest, users.admin, {
    username: users[name].username,
    duration: 'indefinite',
  })
const lift = (name: Name = 'ghost') =>
  api.region.appContext.execute(liftBan, users.admin, { username: users[name].username })
const settle = () => Promise.all(Object.values(clients).map((client) => client.request('getRooms', {})))
/** What a connection has received but the lists of the site's rooms and its users. */
const eventsOf = (name: Name) =>
  clients[name].transport.received
    .filter(([kind]) => kind === Kind.event || kind === Kind.ephemeral)
    .map((value) => JSON.stringify(value[0] === Kind.event ? [value[2], value[3]] : [value[1], value[2]]))
const tracesIn = (name: Name, pattern: RegExp, since = 0) =>
  eventsOf(name)
    .slice(since)
    .filter((event) => pattern.test(event))
const listOf = async (name: Name) => {
  const { body } = await api.get('/api/dm/userconversations', authorized(users[name]))
  return body as unknown as { conversations: ConversationEntry[]; unreadCount: number }
}
const open = async (name: Name, other: Name) => {
  const client = clients[name]
  const before = client.countEvents('dmSessionStarted')
  await client.request('dmSessionStart', {
    recipientUsername: users[other].username,
    recipientId: users[other].userId,
  })
  let seen = 0
  const payload = await client.waitForEvent('dmSessionStarted', () => ++seen > before)
  return payload as unknown as { messages: DirectMessage[]; readUpToId: number; unreadCount: number }
}
const page = async (name: Name, other: Name) => {
  const answer = await clients[name].request('getDirectMessages', { userId: users[other].userId })
  if (!('messages' in answer)) throw new Error(answer.code)
  return answer.messages
}
const contents = (messages: DirectMessage[]) => messages.map(({ content }) => content)
const startAgain = async (name: Name) => {
  const client = await api.region.connectAs(users[name])
  return client.waitForEvent('initialNotifications')
}

/** Everything by which a user can read direct messages, as text. */
async function readEverything(name: Name, other: Name): Promise<string> {
  const bodies = [
    await listOf(name),
    await open(name, other),
    await page(name, other),
    await clients[name].request('getDirectMessages', { userId: users[other].userId, after: 0 }),
    (await api.get(`/api/dm/${users[name].username}/${users[other].username}`, authorized(users[name]))).body,
    await startAgain(name),
  ]
  return JSON.stringify(bodies)
}

describe('a ghost-banned user’s direct messages', () => {
  it('[GHOSTD-01] reach nobody else, by no event and no read, in an old conversation and a new one', async () => {
    const first = await sent(clients.ghost, users.can, 'önceki söz')
    await clients.can.request('markMessagesAsRead', { otherUsername: users.ghost.username })
    await settle()
    const before = { list: await listOf('can'), events: eventsOf('can').length }
    await ban()
    await sent(clients.ghost, users.can, 'gizli söz')
    await sent(clients.ghost, users.deniz, 'gizli söz', { replyTo: { id: first.id } })
    await settle()
    for (const name of ['can', 'deniz'] as const) {
      expect(tracesIn(name, /gizli|directMessage/i, name === 'can' ? before.events : 0)).toEqual([])
      expect(await readEverything(name, 'ghost')).not.toMatch(/gizli/i)
    }
    const entries = before.list.conversations.map((entry) => ({ ...entry, isOnline: false }))
    expect(await listOf('can')).toEqual({ ...before.list, conversations: entries })
    expect(contents(await page('can', 'ghost'))).toEqual(['Önceki söz'])
    expect(await listOf('deniz')).toEqual({ success: true, conversations: [], next: null, unreadCount: 0 })
  })

  it('[GHOSTD-02] are to their sender as before: answer, event, page, list and tick', async () => {
    await ban()
    const message = await sent(clients.ghost, users.can, 'söz', { clientId: crypto.randomUUID() })
    expect(Object.keys(message).sort()).toEqual(Object.keys(await sent(clients.can, users.deniz, 'söz')).sort())
    expect(message).toMatchObject({ content: 'Söz', read: false, recipientId: users.can.userId })
    expect(await clients.ghost.waitForEvent('directMessage')).toMatchObject({ ...message, recipientInfo: {} })
    expect(await page('ghost', 'can')).toEqual([message])
    expect((await open('ghost', 'can')).messages).toEqual([message])
    expect((await listOf('ghost')).conversations).toMatchObject([
      { id: users.can.userId, lastMessage: 'Söz', isOwn: true, read: false, unreadCount: 0 },
    ])
    // The same clientId stores one message.
    const again = await sent(clients.ghost, users.can, 'söz', { clientId: message.clientId })
    expect(again).toEqual(message)
  })

  it('[GHOSTD-03] come to a root admin who is the recipient, marked, with list, counts and ticks', async () => {
    await ban()
    const message = await sent(clients.ghost, users.admin, 'yönetime')
    expect(await clients.admin.waitForEvent('directMessage')).toMatchObject({ id: message.id, isGhost: true })
    expect(await page('admin', 'ghost')).toEqual([{ ...message, isGhost: true }])
    expect(await listOf('admin')).toMatchObject({ conversations: [{ isGhost: true, unreadCount: 1 }], unreadCount: 1 })
    await clients.admin.request('markMessagesAsRead', { otherUsername: users.ghost.username })
    expect(await clients.ghost.waitForEvent('messagesRead')).toMatchObject({ upToId: message.id })
    expect(await listOf('ghost')).toMatchObject({ conversations: [{ read: true }] })
    expect(tracesIn('ghost', /isGhost/)).toEqual([])
    expect(await readEverything('ghost', 'admin')).not.toMatch(/isGhost/)
  })

  it('[GHOSTD-04] are not quoted for the other user, and not reported or fetched by their ids', async () => {
    await sent(clients.can, users.ghost, 'selam')
    await ban()
    const hidden = await sent(clients.ghost, users.can, 'gizli söz')
    const answer = await sent(clients.can, users.ghost, 'yanıt', { replyTo: { id: hidden.id } })
    expect(answer.replyTo).toMatchObject({ content: null })
    const report = { messageId: hidden.id, senderUsername: users.ghost.username, recipientUsername: users.can.username }
    expect(await api.post('/api/dm/report', report, authorized(users.can))).toMatchObject({ status: 404 })
    await clients.can.request('notificationDMRead', { notificationIds: [hidden.id], remove: true })
    expect((await page('can', 'ghost')).map(({ content }) => content)).toEqual(['Selam', 'Yanıt'])
    expect(contents(await page('ghost', 'can'))).toEqual(['Selam', 'Gizli söz', 'Yanıt'])
  })

  it('[GHOSTD-04] leave no unavailable quote in what their sender answers to them after the ban', async () => {
    await ban()
    const hidden = await sent(clients.ghost, users.can, 'gizli söz')
    await lift()
    const answer = await sent(clients.ghost, users.can, 'kendime yanıt', { replyTo: { id: hidden.id } })
    expect(answer.replyTo).toMatchObject({ content: 'Gizli söz' })
    await clients.can.waitForEvent('directMessage', ({ id }) => id === answer.id)
    expect(await page('can', 'ghost')).toMatchObject([{ content: 'Kendime yanıt' }])
    expect(JSON.stringify([eventsOf('can'), await page('can', 'ghost')])).not.toContain('replyTo')
  })

  it('[GHOSTD-05] arrive again after the ban; those from the ban stay hidden', async () => {
    await ban()
    await sent(clients.ghost, users.can, 'hayaletken')
    await lift()
    await sent(clients.ghost, users.can, 'dönünce')
    expect(await clients.can.waitForEvent('directMessage')).toMatchObject({ content: 'Dönünce' })
    expect(contents(await page('can', 'ghost'))).toEqual(['Dönünce'])
    expect(contents(await page('ghost', 'can'))).toEqual(['Hayaletken', 'Dönünce'])
    expect(await listOf('can')).toMatchObject({ conversations: [{ lastMessage: 'Dönünce', unreadCount: 1 }] })
    expect(await readEverything('can', 'ghost')).not.toMatch(/hayaletken/i)
  })

  it('[GHOSTD-06] are purged once the ghost and the other have deleted what they see of the conversation', async () => {
    await sent(clients.ghost, users.can, 'önce')
    await ban()
    const hidden = await sent(clients.ghost, users.can, 'sonra')
    const target = { targetUsername: users.ghost.username }
    expect((await api.post('/api/dm/delete', target, authorized(users.can))).status).toBe(200)
    expect(contents(await page('ghost', 'can'))).toEqual(['Önce', 'Sonra'])
    const opened = await open('can', 'ghost')
    expect(opened.messages).toEqual([])
    expect(opened.readUpToId).toBeLessThan(hidden.id)
    await api.post('/api/dm/delete', { targetUsername: users.can.username }, authorized(users.ghost))
    expect(await page('ghost', 'can')).toEqual([])
  })
})

describe('files and lost connections', () => {
  it('[GHOSTD-01] the file of a hidden message is for its sender alone, and for a root admin who received it', async () => {
    await ban()
    const file = async (to: Name) => {
      const form = new FormData()
      form.set('media', new Blob([new Uint8Array(await createPicture('png', 6, 4 + ++turn))]), 'resim')
      const headers = authorized(users.ghost)
      const response = await api.send('/api/dm/upload-media', { method: 'POST', body: form, headers })
      const { mediaId, originalPath } = (await response.json()) as { mediaId: number; originalPath: string }
      await sent(clients.ghost, users[to], '', { mediaId })
      const names = ['ghost', 'can', 'deniz', 'admin'] as const
      const fetched = names.map((name) => api.send(originalPath, { headers: authorized(users[name]) }))
      return (await Promise.all(fetched)).map(({ status }) => status)
    }
    for (const name of ['can', 'admin'] as const)
      await clients[name].request('updatePrivacySettings', { messageImagePrivacy: 'everyone' })
    expect(await file('can')).toEqual([200, 404, 404, 404])
    expect(await file('admin')).toEqual([200, 404, 404, 200])
  })

  it('[GHOSTD-13] a resumed connection gets no hidden message, and that of the ghost each once', async () => {
    const cursor = api.region.appContext.reader.cursor()
    await ban()
    await sent(clients.ghost, users.can, 'gizli söz')
    const resume = async (name: Name) => {
      const client = api.region.openConnection()
      await sendHello(client, users[name], { cursor, browserId: `yeni ${name}` })
      await client.request('getRooms', {})
      return client.countEvents('directMessage')
    }
    expect(await Promise.all((['ghost', 'can', 'deniz', 'admin'] as const).map(resume))).toEqual([1, 0, 0, 0])
  })
})

describe('messages to a ghost-banned user', () => {
  it('[GHOSTD-07] arrive as before, and nobody is told that they are read', async () => {
    await sent(clients.ghost, users.can, 'merhaba')
    const early = await sent(clients.can, users.ghost, 'bir')
    await clients.ghost.request('markMessagesAsRead', { otherUsername: users.can.username })
    expect(await clients.can.waitForEvent('messagesRead')).toMatchObject({ upToId: early.id })
    await ban()
    const events = eventsOf('can').length
    const late = await sent(clients.can, users.ghost, 'iki')
    expect(await clients.ghost.waitForEvent('directMessage', ({ id }) => id === late.id)).toMatchObject({
      content: 'İki',
    })
    expect((await listOf('ghost')).unreadCount).toBe(1)
    await clients.ghost.request('markMessagesAsRead', { otherUsername: users.can.username })
    expect(await clients.ghost.waitForEvent('messagesRead', ({ upToId }) => upToId === late.id)).toMatchObject({
      readerId: users.ghost.userId,
    })
    expect((await listOf('ghost')).unreadCount).toBe(0)
    await settle()
    expect(tracesIn('can', /messagesRead/, events)).toEqual([])
    await lift()
    const last = await sent(clients.can, users.ghost, 'üç')
    await clients.ghost.request('markMessagesAsRead', { otherUsername: users.can.username })
    expect(await clients.can.waitForEvent('messagesRead', ({ upToId }) => upToId === last.id)).toBeTruthy()
  })
})

describe('typing', () => {
  it('[GHOSTD-09] of a ghost-banned user is not sent, and that of others comes', async () => {
    await ban()
    for (const other of ['can', 'admin'] as const) {
      expect(await clients.ghost.request('directTyping', { userId: users[other].userId })).toEqual({ success: true })
      expect(await clients[other].request('directTyping', { userId: users.ghost.userId })).toEqual({ success: true })
    }
    await settle()
    expect(['can', 'admin', 'ghost'].map((name) => clients[name as Name].countEvents('directTyping'))).toEqual([
      0, 0, 2,
    ])
  })
})

describe('blocks and privacy of a ghost-banned user', () => {
  const block = (way: 'block' | 'unblock', actor: Name, other: Name) =>
    api.post(`/api/users/${way}`, { blockedUsername: users[other].username }, authorized(users[actor]))

  it('[GHOSTD-10] hold as those of anybody, and the other is told nothing', async () => {
    await sent(clients.ghost, users.can, 'önce')
    await open('can', 'ghost')
    await ban()
    const events = eventsOf('can').length
    await clients.ghost.request('updatePrivacySettings', { messagePrivacy: 'nobody' })
    expect(await send(clients.can, users.ghost, 'olmaz')).toMatchObject({ code: 'ContactRefused' })
    await clients.ghost.request('updatePrivacySettings', { messagePrivacy: 'everyone' })
    expect((await block('block', 'ghost', 'can')).status).toBe(200)
    expect(await clients.ghost.waitForEvent('userBlocked')).toMatchObject({ blockedId: users.can.userId })
    for (const [from, to] of [
      ['ghost', 'can'],
      ['can', 'ghost'],
    ] as const)
      expect(await send(clients[from], users[to], 'olmaz')).toMatchObject({ code: 'ContactRefused' })
    expect((await block('unblock', 'ghost', 'can')).status).toBe(200)
    expect(await clients.ghost.waitForEvent('userUnblocked')).toBeTruthy()
    await sent(clients.can, users.ghost, 'olur')
    await settle()
    expect(tracesIn('can', /ngelle|locked|contactVerdict/, events)).toEqual([])
  })
})

describe('the limit of new conversations', () => {
  const writeToNewUsers = async (name: Name, count: number) => {
    for (let index = 0; index < count; index++)
      await sent(clients[name], await api.region.createGuest(`yeni${turn}x${index}`), 'selam')
  }

  it('[GHOSTD-16] counts one for a user who answers what is hidden from the user', async () => {
    await ban()
    await sent(clients.ghost, users.can, 'gizli')
    await writeToNewUsers('can', MAX_NEW_CONVERSATIONS - 1)
    await sent(clients.can, users.ghost, 'selam')
    expect(await send(clients.can, users.deniz, 'fazla')).toMatchObject({ code: 'TooManyConversations' })
    // It goes on for both.
    await sent(clients.can, users.ghost, 'yine')
    await sent(clients.ghost, users.can, 'yine')
  })

  it('[GHOSTD-16] spares a user who answers what the user sees', async () => {
    await sent(clients.ghost, users.can, 'görünür')
    await ban()
    await writeToNewUsers('can', MAX_NEW_CONVERSATIONS)
    await sent(clients.can, users.ghost, 'cevap')
  })
})
