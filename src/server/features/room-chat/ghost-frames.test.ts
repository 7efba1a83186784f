import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventName } from '../../../shared/protocol/catalogue.ts'
import { Kind, type ServerValue } from '../../../shared/protocol/frame.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { eventsAfter } from '../../kernel/database/events/events.ts'
import { Publisher } from '../../kernel/live/publisher.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { toPerson, userById } from '../../model/accounts/queries.ts'
import { createFakeTransport } from '../../testing/fixtures/fake-transport.ts'
import { openTestConnection } from '../../testing/fixtures/test-connection.ts'
import {
  openTestRegion,
  sendHello,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../../testing/fixtures/test-region.ts'
import { blockUser } from '../relations/block-user.ts'
import { unblockUser } from '../relations/unblock-user.ts'

type Name = 'root' | 'kaba' | 'can' | 'ece'

interface Site {
  region: TestRegion
  users: Record<Name, TestUser>
  /** Kaba, Can and the root admin are in room 1, Ece is in room 2. */
  clients: Record<Name, TestClient>
}

const sites: Site[] = []
async function openSite(): Promise<Site> {
  const region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '100' })
  const users = {
    root: await region.createRootAdmin('yönetici'),
    kaba: await region.createGuest('kaba'),
    can: await region.createGuest('can'),
    ece: await region.createGuest('ece'),
  }
  const clients = {
    root: await region.connectAs(users.root, 1),
    kaba: await region.connectAs(users.kaba, 1),
    can: await region.connectAs(users.can, 1),
    ece: await region.connectAs(users.ece, 2),
  }
  // Past the wait after joining.
  region.clockOffset.aheadMs += 60_000
  const site = { region, users, clients }
  sites.push(site)
  return site
}

let site: Site
beforeEach(async () => {
  site = await openSite()
})
afterEach(async () => {
  for (const { region } of sites.splice(0)) await region.destroy()
})

async function ghostBan({ clients, users }: Site): Promise<void> {
  const { username, userId: targetUserId } = users.kaba
  const input = { username, targetUserId, banDuration: 'indefinite', isGuest: true, clientId: randomUUID() } as const
  expect(await clients.root.request('ghostBanGuest', input)).toMatchObject({ success: true })
}

async function send({ clients }: Site, name: Name, content: string, replyToId?: number): Promise<number> {
  const replyTo = replyToId === undefined ? {} : { replyTo: { id: replyToId } }
  const answer = await clients[name].request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...replyTo })
  if (!('success' in answer)) throw new Error(answer.code)
  return Number(answer.id)
}

const isLogged = ([kind]: ServerValue) => kind === Kind.event
/** Everything logged that a client got, with a message that everybody gets as its end. */
async function takeLogged(from: Site, name: Name): Promise<[EventName, Record<string, unknown>][]> {
  const end = `Son ${randomUUID()}`
  await send(from, 'root', end)
  const { transport } = from.clients[name]
  await transport.waitForValue((value) => isLogged(value) && JSON.stringify(value).includes(end))
  const logged = transport.received.splice(0).filter(isLogged)
  return logged.slice(0, -1).map(([, , event, payload]) => [event as EventName, payload as Record<string, unknown>])
}
const takeTexts = async (from: Site, name: Name) =>
  (await takeLogged(from, name)).map(
    ([event, { content, isGhost }]) => `${event}: ${content}${isGhost ? ' (hayalet)' : ''}`,
  )

describe('a message of a ghost', () => {
  it('[GHOST-10] reaches the ghost’s tabs and, marked, root admins, and nobody else', async () => {
    const { region, clients, users } = site
    const secondTab = await region.connectAs(users.kaba, 1)
    await ghostBan(site)
    for (const name of ['root', 'kaba', 'can', 'ece'] as const) clients[name].transport.received.length = 0
    await send(site, 'kaba', 'gizli')
    expect(await takeTexts(site, 'root')).toContain('message: Gizli (hayalet)')
    expect(await takeTexts(site, 'kaba')).toEqual(['message: Gizli', expect.stringContaining('message: Son')])
    expect(secondTab.countEvents('message')).toBe(3)
    const isAboutGhost = (value: ServerValue) => JSON.stringify(value).includes('izli')
    expect([...clients.can.transport.received, ...clients.ece.transport.received].filter(isAboutGhost)).toEqual([])
  })

  it('[GHOST-10] reaches nobody else in another region, which publishes the rows of the log', async () => {
    await ghostBan(site)
    await send(site, 'kaba', 'gizli')
    const other = new Publisher(0)
    const { users, region } = site
    const connections = (['root', 'kaba', 'can'] as const).map((name) => {
      const row = region.appContext.reader.get(userById, { id: users[name].userId })
      if (!row) throw new Error(`${name} is no user`)
      const transport = createFakeTransport()
      other.subscribe(openTestConnection(transport, { person: toPerson(row, true, 0) }), roomStream(1), 0)
      return transport
    })
    other.publish(region.appContext.reader.all(eventsAfter, { seq: 0 }))
    await new Promise(setImmediate)
    const texts = connections.map(({ received }) =>
      received.map(([, , name, payload]) => [name, (payload as Message).isGhost ?? false]),
    )
    expect(texts).toEqual([[['message', true]], [['message', false]], []])
  })

  it('[GHOST-12] is quoted live by the ghost alone, for the ghost and root admins', async () => {
    await ghostBan(site)
    const id = await send(site, 'kaba', 'gizli')
    await send(site, 'root', 'cevap', id)
    await send(site, 'kaba', 'kendi cevabım', id)
    const quotes = async (name: Name) =>
      (await takeLogged(site, name)).flatMap(([, payload]) => ('replyTo' in payload ? [payload.replyTo] : []))
    const quote = { id, content: 'Gizli', senderUsername: 'kaba' }
    expect(await quotes('can')).toEqual([])
    expect(await quotes('kaba')).toMatchObject([quote])
    expect(await quotes('root')).toMatchObject([quote])
  })

  it('[GHOST-15] is no activity of its room', async () => {
    const { region, clients, users } = site
    const watching = await region.connectAs(users.kaba, 2)
    for (const client of [watching, clients.ece]) await client.request('watchRooms', { roomIds: [1] })
    await ghostBan(site)
    await send(site, 'kaba', 'gizli')
    const shown = await send(site, 'can', 'herkese')
    for (const client of [watching, clients.ece])
      expect(await client.waitForEvent('roomActivity')).toEqual({ roomId: 1, messageId: shown })
  })

  it('[GHOST-15] stays the last message for the ghost alone when another one is removed', async () => {
    const { region, clients, users } = site
    const shown = await send(site, 'can', 'herkese')
    await ghostBan(site)
    const hidden = await send(site, 'kaba', 'gizli')
    const watching = await region.connectAs(users.kaba, 2)
    for (const client of [watching, clients.ece]) await client.request('watchRooms', { roomIds: [1] })
    await clients.root.request('removeMessage', { messageId: shown, clientId: randomUUID() })
    expect(await watching.waitForEvent('roomActivity')).toEqual({ roomId: 1, messageId: hidden })
    expect(await clients.ece.waitForEvent('roomActivity')).toEqual({ roomId: 1, messageId: shown })
  })
})

describe('what a ghost does', () => {
  it('[GHOST-21] sends no frame to anybody but the ghost and root admins', async () => {
    const { region, clients, users } = site
    await clients.can.waitForEvent('users-in-room')
    await ghostBan(site)
    for (const name of ['can', 'ece'] as const) await clients[name].request('watchRoomCounts', { scope: 'all' })
    await clients.can.request('watchProfile', { userId: users.kaba.userId })
    await clients.can.waitForEvent('user-left')
    await clients.ece.waitForEvent('activeUsersCount', ({ count }) => count === 3)
    for (const { transport } of Object.values(clients)) transport.received.length = 0
    const { kaba } = clients
    const can = { recipientUsername: 'can', recipientId: users.can.userId }
    await send(site, 'kaba', 'selam @can')
    await kaba.request('typing', { roomId: 1 })
    await kaba.request('dmSessionStart', can)
    await kaba.request('sendDirectMessage', { ...can, content: 'gizli', clientId: randomUUID() })
    await kaba.request('directTyping', { userId: users.can.userId })
    await kaba.request('markMessagesAsRead', { otherUsername: 'can' })
    await kaba.request('dmVoiceCallRequest', { recipientUsername: 'can', callType: 'voice' })
    await kaba.request('updatePrivacySettings', { messagePrivacy: 'nobody' })
    for (const write of [blockUser, unblockUser])
      expect(await region.appContext.execute(write, users.kaba, { blockedUsername: 'can' })).toEqual({ success: true })
    await kaba.request('joinRoom', { roomId: 2 })
    await region.connectAs(users.kaba, 1)
    kaba.disconnect()
    const end = await region.connectAs(await region.createGuest('son'), 1)
    await clients.can.waitForEvent('user-joined')
    await end.request('joinRoom', { roomId: 2 })
    await clients.ece.waitForEvent('user-joined')
    for (const name of ['can', 'ece'] as const) {
      // Of the guest who comes last; and an idle connection gets the cursor every few seconds.
      const isExpected = (value: ServerValue) =>
        value[1] === 'cursor' || /"son"|activeUsersCount|roomUserCountUpdate/.test(JSON.stringify(value))
      const events = clients[name].transport.received.filter(([kind]) => kind === Kind.event || kind === Kind.ephemeral)
      expect(events.filter((value) => !isExpected(value))).toEqual([])
      const counts = () => clients[name].transport.received.filter(([, event]) => event === 'activeUsersCount')
      await expect.poll(counts).toMatchObject([[Kind.ephemeral, 'activeUsersCount', { count: 4 }]])
    }
  })
})

describe('a client that comes back', () => {
  const missedBy = async (from: Site, name: Name, cursor: number) => {
    const client = from.region.openConnection()
    await sendHello(client, from.users[name])
    const joined = await client.request('joinRoom', { roomId: 1, cursor })
    if (!('missed' in joined) || !joined.missed) return null
    return joined.missed.map(([, , event, payload]) => {
      const { content, isGhost } = payload as Partial<Message> // of any event
      return `${event}: ${content}${isGhost ? ' (hayalet)' : ''}`
    })
  }

  it('[GHOST-17] gets a ghost’s messages only as the ghost or a root admin', async () => {
    await ghostBan(site)
    const cursor = site.region.appContext.publisher.cursor()
    await send(site, 'kaba', 'gizli')
    await send(site, 'can', 'herkese')
    expect(await missedBy(site, 'can', cursor)).toEqual(['message: Herkese'])
    expect(await missedBy(site, 'kaba', cursor)).toEqual(['message: Gizli', 'message: Herkese'])
    expect(await missedBy(site, 'root', cursor)).toEqual(['message: Gizli (hayalet)', 'message: Herkese'])
  })

  it('[GHOST-17] gets its replay however much a ghost has written', async () => {
    await ghostBan(site)
    const cursor = site.region.appContext.publisher.cursor()
    // One more than the events of a replay.
    for (let i = 0; i < 251; i++) {
      for (let row = 0; row < 4; row++) await send(site, 'kaba', `gizli ${i} ${row}`)
      await send(site, 'root', 'ara')
    }
    expect(await missedBy(site, 'can', cursor)).toHaveLength(251)
    expect(await missedBy(site, 'root', cursor)).toBeNull()
  })

  it('[GHOST-17] needs no resync because a ghost’s messages were removed', async () => {
    await ghostBan(site)
    await send(site, 'kaba', 'gizli')
    const cursor = site.region.appContext.publisher.cursor()
    const { username } = site.users.kaba
    const ban = { targetname: username, duration: '10min', banReason: 'Diğer' } as const
    expect(await site.clients.root.request('banUser', ban)).toMatchObject({ success: true })
    await send(site, 'can', 'herkese')
    expect(await missedBy(site, 'can', cursor)).toEqual(['message: Herkese'])
    expect(await missedBy(site, 'root', cursor)).toBeNull()
  })

  it('[GHOST-17] gets neither a frame nor a resync because one message of a ghost was removed', async () => {
    await ghostBan(site)
    const messageId = await send(site, 'kaba', 'gizli')
    const cursor = site.region.appContext.publisher.cursor()
    const removal = { messageId, clientId: randomUUID() }
    expect(await site.clients.root.request('removeMessage', removal)).toMatchObject({ success: true })
    expect(await missedBy(site, 'can', cursor)).toEqual([])
    expect(await missedBy(site, 'kaba', cursor)).toBeNull()
    expect(await missedBy(site, 'root', cursor)).toBeNull()
  })
})

describe('the ghost', () => {
  const isAboutMessages = ([kind, name]: ServerValue) => kind !== Kind.ephemeral || name === 'loadRoomMessages'
  /** What a client got but presence, which comes in its own time, without numbers that differ between any two runs. */
  const framesOf = ({ clients }: Site, name: Name) =>
    clients[name].transport.received.filter(isAboutMessages).map((value) => {
      const normalise = (_: string, field: unknown) => {
        if (typeof field === 'number' && field > 1_000_000) return 'time'
        return typeof field === 'string' && /^[0-9a-f-]{36}$/.test(field) ? 'uuid' : field
      }
      const [kind, ...rest] = value
      // A sequence number counts the events of others too.
      return JSON.stringify([kind, ...(kind === Kind.event ? rest.slice(1) : rest)], normalise).replace(
        /"(cursor|inRoomForMs)":\d+/g,
        '"$1":0',
      )
    })

  it('[GHOST-19] gets the same frames and answers in a room as without the ban', async () => {
    const control = await openSite()
    await ghostBan(site)
    for (const { clients } of [site, control]) clients.kaba.transport.received.length = 0
    for (const each of [site, control]) {
      const { clients } = each
      const first = await send(each, 'kaba', 'selam @can')
      await send(each, 'root', 'merhaba @kaba')
      for (let i = 0; i < 4; i++) await send(each, 'kaba', `cevap ${i}`, first)
      const tooMany = { roomId: 1, content: 'fazla', clientId: randomUUID() }
      expect(await clients.kaba.request('sendMessage', tooMany)).toMatchObject({ code: 'TooManyInARow' })
      await clients.kaba.request('getMessages', { roomId: 1 })
      await clients.kaba.request('joinRoom', { roomId: 1 })
      await takeEnd(each)
    }
    const withoutWait = (frames: string[]) => frames.map((frame) => frame.replace(/"waitMs":\d+/, '"waitMs":0'))
    expect(withoutWait(framesOf(site, 'kaba'))).toEqual(withoutWait(framesOf(control, 'kaba')))
  })

  async function takeEnd(each: Site): Promise<void> {
    await send(each, 'root', 'bitti')
    await each.clients.kaba.waitForEvent('message', ({ content }) => content === 'Bitti')
  }
})
