import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { indexMessages } from '../../model/conversations/index-messages.ts'
import { listLatestMessages } from '../../model/conversations/room-messages.ts'
import { viewerOf } from '../../model/relations/queries.ts'
import {
  openTestRegion,
  sendHello,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../../testing/fixtures/test-region.ts'
import { sendPopup } from '../announcements/send-popup.ts'
import { blockUser } from './block-user.ts'
import { unblockUser } from './unblock-user.ts'

type Name = 'ada' | 'can' | 'deniz' | 'ece'
const unavailableQuote = (id: number) => ({ id, content: null, senderId: null, senderUsername: null })

/** Ada blocks Can; Deniz and Ece are bystanders. All are root admins, who are exempt from chat limits. */
let site: TestRegion
let testUsers: Record<Name, TestUser>
let clients: Record<Name, TestClient>
beforeEach(async () => {
  site = await openTestRegion({ MEYDAN_LIMIT_SCALE: '100' })
  const [ada, can, deniz, ece] = await Promise.all(
    ['ada', 'can', 'deniz', 'ece'].map((name) => site.createRootAdmin(name)),
  )
  testUsers = { ada, can, deniz, ece } as Record<Name, TestUser> // one per name
  clients = await forEachName(async (name) => site.connectAs(testUsers[name], 1))
})
afterEach(() => site.destroy())

async function forEachName<T>(each: (name: Name) => Promise<T>): Promise<Record<Name, T>> {
  const names: Name[] = ['ada', 'can', 'deniz', 'ece']
  const entries = await Promise.all(names.map(async (name) => [name, await each(name)] as const))
  return Object.fromEntries(entries) as Record<Name, T>
}

async function runBlockCommand(
  command: typeof blockUser | typeof unblockUser,
  actorName: Name,
  target: Name,
): Promise<void> {
  const actor = { ...testUsers[actorName], role: 'rootadmin' as const }
  const result = await site.appContext.execute(command, actor, { blockedUsername: target })
  if (result instanceof Refusal) throw new Error(result.body.code)
}
const block = (actorName: Name, target: Name) => runBlockCommand(blockUser, actorName, target)
const unblock = (actorName: Name, target: Name) => runBlockCommand(unblockUser, actorName, target)

async function sendMessage(actorName: Name, content: string, replyTo?: number): Promise<number> {
  const more = replyTo === undefined ? {} : { replyTo: { id: replyTo } }
  const answer = await clients[actorName].request('sendMessage', {
    roomId: 1,
    content,
    clientId: randomUUID(),
    ...more,
  })
  if (!('success' in answer)) throw new Error(answer.code)
  return Number(answer.id)
}

/** Searches the room after all messages so far have been indexed. */
async function searchMessages(name: Name, text: string): Promise<Message[]> {
  await site.appContext.execute(indexMessages, null, {})
  const found = await clients[name].request('searchMessages', { roomId: 1, text })
  return (found as { messages: Message[] }).messages
}

/** The messages that a connection has received, after all earlier events have been delivered to it. */
async function receivedMessages(name: Name, client = clients[name]): Promise<Message[]> {
  await client.request('getStatus', {})
  return client.transport.received.flatMap((value) =>
    value[0] === Kind.event && value[2] === 'message' ? [value[3] as Message] : [],
  )
}
const contentsOf = (messages: readonly Message[]) => messages.map(({ content }) => content)
const getRoomPage = (name: Name, roomId = 1) =>
  listLatestMessages(
    site.appContext.reader,
    roomId,
    viewerOf(site.appContext.reader, { ...testUsers[name], role: 'rootadmin' }),
  )

describe('messages of a blocked user', () => {
  it('[REL-07] [REL-09] [REL-11] do not reach the blocker while the block lasts, and reach everybody else', async () => {
    await sendMessage('can', 'Önce')
    await block('ada', 'can')
    await sendMessage('can', 'Engelliyken')
    await sendMessage('ada', 'Benden')
    await unblock('ada', 'can')
    await sendMessage('can', 'Sonra')
    const received = await forEachName(receivedMessages)
    expect(contentsOf(received.ada)).toEqual(['Önce', 'Benden', 'Sonra'])
    const all = ['Önce', 'Engelliyken', 'Benden', 'Sonra']
    for (const name of ['can', 'deniz', 'ece'] as const) expect(contentsOf(received[name])).toEqual(all)
    expect(received.ece).toEqual(received.can)
  })

  it('[REL-09] only the two users get other frames than without the block, and counters stay the same', async () => {
    const before = await clients.can.request('getStatus', { roomId: 1 })
    await block('ada', 'can')
    await sendMessage('can', 'Bir')
    await receivedMessages('ada')
    const eventsOf = (client: TestClient) => client.transport.received.filter(([kind]) => kind === Kind.event)
    await receivedMessages('ece')
    expect(eventsOf(clients.ece).map((value) => value[2])).toEqual(['message'])
    expect(eventsOf(clients.ada).map((value) => value[2])).toEqual(['userBlocked'])
    await receivedMessages('can')
    expect(eventsOf(clients.can).map((value) => value[2])).toEqual(['userBlocked', 'message'])
    expect(await clients.can.request('getStatus', { roomId: 1 })).toEqual(before)
    expect(await clients.ada.request('getStatus', { roomId: 1 })).toEqual(before)
    expect(await clients.ada.request('getRoomUsers', { roomId: 1 })).toEqual(
      await clients.ece.request('getRoomUsers', { roomId: 1 }),
    )
  })

  it('[REL-08] are not quoted to the blocker: live, replayed, on a page, in history and in search', async () => {
    const original = await sendMessage('can', 'Asıl sözler')
    await block('ada', 'can')
    const answer = await sendMessage('deniz', 'Cevap veriyorum', original)
    const quote = { id: original, content: 'Asıl sözler', senderId: testUsers.can.userId, senderUsername: 'can' }
    const quotesSeenBy = async (name: Name) => {
      const { messages: history } = (await clients[name].request('getMessages', { roomId: 1 })) as {
        messages: Message[]
      }
      const found = await searchMessages(name, 'cevap')
      const resumed = site.openConnection()
      await sendHello(resumed, testUsers[name], { cursor: 1, roomId: 1 })
      const sources = [
        await receivedMessages(name),
        getRoomPage(name),
        history,
        found,
        await receivedMessages(name, resumed),
      ]
      return sources.map((messages) => messages.find(({ id }) => id === answer)?.replyTo)
    }
    expect(await quotesSeenBy('ada')).toEqual(Array(5).fill(unavailableQuote(original)))
    for (const name of ['can', 'deniz', 'ece'] as const) expect(await quotesSeenBy(name)).toEqual(Array(5).fill(quote))
  })

  it('[REL-07] [REL-11] are left out of a replay on resume and on joining from a page', async () => {
    const cursor = site.appContext.reader.cursor()
    await block('ada', 'can')
    await sendMessage('can', 'Gizli')
    await sendMessage('deniz', 'Açık')
    const resume = async (name: Name) => {
      const client = site.openConnection()
      await sendHello(client, testUsers[name], { cursor, roomId: 1 })
      return contentsOf(await receivedMessages(name, client))
    }
    const join = async (name: Name) => {
      const client = site.openConnection()
      await sendHello(client, testUsers[name])
      const { missed = [] } = (await client.request('joinRoom', { roomId: 1, cursor })) as { missed?: unknown[][] }
      return missed.flatMap(([, , name, payload]) => (name === 'message' ? [(payload as Message).content] : []))
    }
    for (const getMissed of [resume, join]) {
      expect(await getMissed('ada')).toEqual(['Açık'])
      for (const name of ['can', 'ece'] as const) expect(await getMissed(name)).toEqual(['Gizli', 'Açık'])
    }
    await unblock('ada', 'can')
    for (const getMissed of [resume, join]) expect(await getMissed('ada')).toEqual(['Gizli', 'Açık'])
  })

  it('[REL-07] are missing from the blocker’s pages, history and search, and present in those of others', async () => {
    await sendMessage('can', 'Elma ağacı')
    await sendMessage('deniz', 'Elma şekeri')
    await block('ada', 'can')
    const everywhere = async (name: Name) => {
      const { messages: history } = (await clients[name].request('getMessages', { roomId: 1 })) as {
        messages: Message[]
      }
      const found = await searchMessages(name, 'elma')
      const joining = site.openConnection()
      await sendHello(joining, testUsers[name])
      await joining.request('joinRoom', { roomId: 1 })
      const loaded = (await joining.waitForEvent('loadRoomMessages')).messages as Message[]
      return [getRoomPage(name), history, found, loaded].map((messages) => contentsOf(messages).toSorted())
    }
    expect(await everywhere('ada')).toEqual(Array(4).fill(['Elma şekeri']))
    for (const name of ['can', 'ece'] as const) {
      expect(await everywhere(name)).toEqual(Array(4).fill(['Elma ağacı', 'Elma şekeri']))
    }
    await unblock('ada', 'can')
    expect(await everywhere('ada')).toEqual(Array(4).fill(['Elma ağacı', 'Elma şekeri']))
  })

  it('[REL-07] notify mentioned users except those who have blocked the sender', async () => {
    await block('ada', 'can')
    await sendMessage('can', 'Merhaba @ada ve @deniz')
    await sendMessage('ada', 'Merhaba @can')
    await sendMessage('ece', 'Merhaba @ada')
    expect(await clients.deniz.waitForEvent('mentionNotification')).toMatchObject({ messageSender: 'can' })
    expect(await clients.can.waitForEvent('mentionNotification')).toMatchObject({ messageSender: 'ada' })
    expect(await clients.ada.waitForEvent('mentionNotification')).toMatchObject({ messageSender: 'ece' })
    await receivedMessages('ada')
    expect([clients.ada.countEvents('mentionNotification'), clients.ece.countEvents('mentionNotification')]).toEqual([
      1, 0,
    ])
  })

  it('[REL-07] [REL-09] the blocked user’s typing is not shown to the blocker, and that of others is', async () => {
    await block('ada', 'can')
    await clients.can.request('typing', { roomId: 1 })
    const can = { id: testUsers.can.userId, username: 'can' }
    for (const name of ['can', 'deniz', 'ece'] as const) {
      expect(await clients[name].waitForEvent('typing')).toEqual({ roomId: 1, users: [can] })
    }
    await receivedMessages('ada')
    expect(clients.ada.countEvents('typing')).toBe(0)
    await clients.can.request('typing', { roomId: 1 })
    await clients.deniz.request('typing', { roomId: 1 })
    const deniz = { id: testUsers.deniz.userId, username: 'deniz' }
    expect(await clients.ece.waitForEvent('typing', ({ users }) => (users as unknown[]).length === 2)).toEqual({
      roomId: 1,
      users: [can, deniz],
    })
    expect(await clients.ada.waitForEvent('typing')).toEqual({ roomId: 1, users: [deniz] })
  })

  it('[REL-15] cause no roomActivity for the blocker, and do for others', async () => {
    await block('ada', 'can')
    const watch = async (name: Name) => {
      const client = await site.connectAs(testUsers[name], 2)
      await client.request('watchRooms', { roomIds: [1] })
      return client
    }
    const [ada, ece] = [await watch('ada'), await watch('ece')]
    const first = await sendMessage('deniz', 'Bir')
    expect(await ada.waitForEvent('roomActivity')).toEqual({ roomId: 1, messageId: first })
    const second = await sendMessage('can', 'İki')
    expect(await ece.waitForEvent('roomActivity', ({ messageId }) => messageId === second)).toBeTruthy()
    const reportedIds = ada.transport.received.flatMap((value) =>
      value[0] === Kind.ephemeral && value[1] === 'roomActivity' ? [value[2].messageId] : [],
    )
    expect(reportedIds.every((id) => id === first)).toBe(true)
    const watchAgain = async (client: TestClient) =>
      (await client.request('watchRooms', { roomIds: [1] })) as { rooms: { messageId: number }[] }
    expect((await watchAgain(ada)).rooms).toEqual([{ roomId: 1, messageId: first }])
    expect((await watchAgain(ece)).rooms).toEqual([{ roomId: 1, messageId: second }])
  })

  it('[REL-11] every connection of the blocker follows each block and unblock, and no other connection does', async () => {
    const second = await site.connectAs(testUsers.ada, 1)
    await block('ada', 'can')
    await block('ada', 'deniz')
    await sendMessage('can', 'Bir')
    await unblock('ada', 'can')
    await sendMessage('can', 'İki')
    await sendMessage('deniz', 'Üç')
    const third = await site.connectAs(testUsers.ada, 1)
    await sendMessage('ece', 'Dört')
    await sendMessage('deniz', 'Beş')
    expect(contentsOf(await receivedMessages('ada'))).toEqual(['İki', 'Dört'])
    expect(contentsOf(await receivedMessages('ada', second))).toEqual(['İki', 'Dört'])
    expect(contentsOf(await receivedMessages('ada', third))).toEqual(['Dört'])
    expect(contentsOf(await receivedMessages('ece'))).toEqual(['Bir', 'İki', 'Üç', 'Dört', 'Beş'])
  })

  it('[REL-12] a page is filled up with messages of other users', async () => {
    const { default: Sqlite } = await import('better-sqlite3')
    const db = new Sqlite(site.appContext.config.databaseFile)
    const row = db.prepare(
      "insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt) values (1, ?, 'elma', 1, ?, 1)",
    )
    const { can, ece } = testUsers
    for (const { count, senderId } of [
      { count: 50, senderId: ece.userId },
      { count: 300, senderId: can.userId },
      { count: 3, senderId: ece.userId },
    ])
      for (let n = 0; n < count; n++) row.run(senderId, randomUUID())
    db.close()
    await block('ada', 'can')
    expect(getRoomPage('ada')).toHaveLength(40)
    expect(getRoomPage('ada').every(({ senderId }) => senderId === ece.userId)).toBe(true)
    const before = getRoomPage('ada')[0]?.id
    expect(await clients.ada.request('getMessages', { roomId: 1, before })).toMatchObject({ more: false })
    const page = (await clients.ada.request('getMessages', { roomId: 1, before })) as { messages: Message[] }
    expect(page.messages).toHaveLength(13)
  })
})

describe('other actions of a blocked user', () => {
  it('[REL-10] reach the blocker: popups, cleared rooms, bans, joins and leaves', async () => {
    await block('ada', 'can')
    const bad = await site.createGuest('kötü')
    const badClient = await site.connectAs(bad, 1)
    const actor = { ...testUsers.can, role: 'rootadmin' as const }
    await site.appContext.execute(sendPopup, actor, { message: 'Duyuru', imagePath: null, roomId: 1 })
    expect(await clients.ada.waitForEvent('popupNotification')).toMatchObject({ senderUsername: 'can' })
    await clients.can.request('clearRoomMessages', { roomId: 1 })
    await clients.ada.waitForEvent('clearMessages')
    const ban = { targetname: 'kötü', duration: '10min', banReason: 'Diğer' } as const
    await clients.can.request('banUser', ban)
    expect(await clients.ada.waitForEvent('userBanned')).toMatchObject({ bannedBy: 'can' })
    expect(badClient.transport.closeCode).not.toBeNull()
    clients.can.disconnect()
    expect(await clients.ada.waitForEvent('user-left', ({ username }) => username === 'can')).toBeTruthy()
    await site.connectAs(testUsers.can, 1)
    const isCan = ({ user }: Record<string, unknown>) => (user as { username: string }).username === 'can'
    expect(await clients.ada.waitForEvent('user-joined', isCan)).toBeTruthy()
  })

  it('[REL-07] [REL-11] do not include search results that arrive after the block', async () => {
    await sendMessage('can', 'Elma')
    await searchMessages('ece', 'elma')
    const search = clients.ada.request('searchMessages', { roomId: 1, text: 'elma' })
    await block('ada', 'can')
    await clients.ada.waitForEvent('userBlocked')
    const found = (await search) as { messages: Message[] }
    const values = clients.ada.transport.received
    const blockedAt = values.findIndex((value) => value[0] === Kind.event && value[2] === 'userBlocked')
    const foundAt = values.findIndex((value) => value[0] === Kind.answer && 'messages' in value[2])
    expect(contentsOf(found.messages)).toEqual(blockedAt < foundAt ? [] : ['Elma'])
  })
})
