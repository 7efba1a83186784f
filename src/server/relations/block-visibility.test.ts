import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../shared/protocol/frame.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { sendPopup } from '../announcements/send-popup.ts'
import { indexMessages } from '../room-chat/index-messages.ts'
import { listLatestMessages } from '../room-chat/queries.ts'
import {
  openTestRegion,
  sendHello,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../testing/fixtures/test-region.ts'
import { blockUser } from './block-user.ts'
import { viewerOf } from './queries.ts'
import { unblockUser } from './unblock-user.ts'

type Name = 'ada' | 'can' | 'deniz' | 'ece'
const unavailableQuote = (id: number) => ({ id, content: null, senderId: null, senderUsername: null })

/** Ada has blocked Can. Deniz speaks with both, Ece stands by. All are root admins, so that no wait holds them up. */
let site: TestRegion
let testUsers: Record<Name, TestUser>
let clients: Record<Name, TestClient>
beforeEach(async () => {
  site = await openTestRegion({ MEYDAN_LIMIT_SCALE: '100' })
  const [ada, can, deniz, ece] = await Promise.all(
    ['ada', 'can', 'deniz', 'ece'].map((name) => site.createRootAdmin(name)),
  )
  testUsers = { ada, can, deniz, ece } as Record<Name, TestUser> // four were made
  clients = await forEachName(async (name) => site.connectAs(testUsers[name], 1))
})
afterEach(() => site.destroy())

async function forEachName<T>(each: (name: Name) => Promise<T>): Promise<Record<Name, T>> {
  const names: Name[] = ['ada', 'can', 'deniz', 'ece']
  const entries = await Promise.all(names.map(async (name) => [name, await each(name)] as const))
  return Object.fromEntries(entries) as Record<Name, T>
}

async function runBlockCommand(command: typeof blockUser | typeof unblockUser, who: Name, whom: Name): Promise<void> {
  const actor = { ...testUsers[who], role: 'rootadmin' as const }
  const done = await site.appContext.execute(command, actor, { blockedUsername: whom })
  if (done instanceof Refusal) throw new Error(done.body.code)
}
const block = (who: Name, whom: Name) => runBlockCommand(blockUser, who, whom)
const unblock = (who: Name, whom: Name) => runBlockCommand(unblockUser, who, whom)

async function sendMessage(who: Name, content: string, replyTo?: number): Promise<number> {
  const more = replyTo === undefined ? {} : { replyTo: { id: replyTo } }
  const answer = await clients[who].request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
  if (!('success' in answer)) throw new Error(answer.code)
  return Number(answer.id)
}

/** Finds in the room, once what was said so far can be found. */
async function searchMessages(name: Name, text: string): Promise<Message[]> {
  await site.appContext.execute(indexMessages, null, {})
  const found = await clients[name].request('searchMessages', { roomId: 1, text })
  return (found as { messages: Message[] }).messages
}

/** What a line has heard in the room, once everything that was said so far has been handed out. */
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

describe('what somebody says whom one has blocked', () => {
  it('[REL-07] [REL-09] [REL-11] is not heard, from the block to its end; the others hear all of it, and so does who is blocked', async () => {
    await sendMessage('can', 'Önce')
    await block('ada', 'can')
    await sendMessage('can', 'Engelliyken')
    await sendMessage('ada', 'Benden')
    await unblock('ada', 'can')
    await sendMessage('can', 'Sonra')
    const heard = await forEachName(receivedMessages)
    expect(contentsOf(heard.ada)).toEqual(['Önce', 'Benden', 'Sonra'])
    const all = ['Önce', 'Engelliyken', 'Benden', 'Sonra']
    for (const name of ['can', 'deniz', 'ece'] as const) expect(contentsOf(heard[name])).toEqual(all)
    expect(heard.ece).toEqual(heard.can)
  })

  it('[REL-09] nobody but the two gets a frame more or less, and counters stay', async () => {
    const before = await clients.can.request('getStatus', { roomId: 1 })
    await block('ada', 'can')
    await sendMessage('can', 'Bir')
    await receivedMessages('ada')
    const kinds = (client: TestClient) => client.transport.received.filter(([kind]) => kind === Kind.event)
    await receivedMessages('ece')
    expect(kinds(clients.ece).map((value) => value[2])).toEqual(['message'])
    expect(kinds(clients.ada).map((value) => value[2])).toEqual(['userBlocked'])
    await receivedMessages('can')
    expect(kinds(clients.can).map((value) => value[2])).toEqual(['userBlocked', 'message'])
    expect(await clients.can.request('getStatus', { roomId: 1 })).toEqual(before)
    expect(await clients.ada.request('getStatus', { roomId: 1 })).toEqual(before)
    expect(await clients.ada.request('getRoomUsers', { roomId: 1 })).toEqual(
      await clients.ece.request('getRoomUsers', { roomId: 1 }),
    )
  })

  it('[REL-08] is not quoted to one either: live, replayed, on a page, in the history, by a search', async () => {
    const original = await sendMessage('can', 'Asıl sözler')
    await block('ada', 'can')
    const answer = await sendMessage('deniz', 'Cevap veriyorum', original)
    const quote = { id: original, content: 'Asıl sözler', senderId: testUsers.can.userId, senderUsername: 'can' }
    const seen = async (name: Name) => {
      const { messages: history } = (await clients[name].request('getMessages', { roomId: 1 })) as {
        messages: Message[]
      }
      const found = await searchMessages(name, 'cevap')
      const again = site.openConnection()
      await sendHello(again, testUsers[name], { cursor: 1, roomId: 1 })
      const wherever = [
        await receivedMessages(name),
        getRoomPage(name),
        history,
        found,
        await receivedMessages(name, again),
      ]
      return wherever.map((messages) => messages.find(({ id }) => id === answer)?.replyTo)
    }
    expect(await seen('ada')).toEqual(Array(5).fill(unavailableQuote(original)))
    for (const name of ['can', 'deniz', 'ece'] as const) expect(await seen(name)).toEqual(Array(5).fill(quote))
  })

  it('[REL-07] [REL-11] is not replayed, when resuming or when entering from a page; what was missed around it is', async () => {
    const cursor = site.appContext.reader.cursor()
    await block('ada', 'can')
    await sendMessage('can', 'Gizli')
    await sendMessage('deniz', 'Açık')
    const resume = async (name: Name) => {
      const client = site.openConnection()
      await sendHello(client, testUsers[name], { cursor, roomId: 1 })
      return contentsOf(await receivedMessages(name, client))
    }
    const entered = async (name: Name) => {
      const client = site.openConnection()
      await sendHello(client, testUsers[name])
      const { missed = [] } = (await client.request('joinRoom', { roomId: 1, cursor })) as { missed?: unknown[][] }
      return missed.flatMap(([, , name, payload]) => (name === 'message' ? [(payload as Message).content] : []))
    }
    for (const look of [resume, entered]) {
      expect(await look('ada')).toEqual(['Açık'])
      for (const name of ['can', 'ece'] as const) expect(await look(name)).toEqual(['Gizli', 'Açık'])
    }
    await unblock('ada', 'can')
    for (const look of [resume, entered]) expect(await look('ada')).toEqual(['Gizli', 'Açık'])
  })

  it('[REL-07] is on no page, in no history and found by no search of theirs, and on those of all others', async () => {
    await sendMessage('can', 'Elma ağacı')
    await sendMessage('deniz', 'Elma şekeri')
    await block('ada', 'can')
    const everywhere = async (name: Name) => {
      const { messages: history } = (await clients[name].request('getMessages', { roomId: 1 })) as {
        messages: Message[]
      }
      const found = await searchMessages(name, 'elma')
      const entering = site.openConnection()
      await sendHello(entering, testUsers[name])
      await entering.request('joinRoom', { roomId: 1 })
      const loaded = (await entering.waitForEvent('loadRoomMessages')).messages as Message[]
      return [getRoomPage(name), history, found, loaded].map((messages) => contentsOf(messages).toSorted())
    }
    expect(await everywhere('ada')).toEqual(Array(4).fill(['Elma şekeri']))
    for (const name of ['can', 'ece'] as const) {
      expect(await everywhere(name)).toEqual(Array(4).fill(['Elma ağacı', 'Elma şekeri']))
    }
    await unblock('ada', 'can')
    expect(await everywhere('ada')).toEqual(Array(4).fill(['Elma ağacı', 'Elma şekeri']))
  })

  it('[REL-07] mentions nobody who has blocked its sender, and everybody else', async () => {
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

  it('[REL-07] [REL-09] shows nobody who has blocked them that they are writing, though others are', async () => {
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

  it('[REL-15] stirs no room that one has left, and stirs it for the others', async () => {
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
    const highest = ada.transport.received.flatMap((value) =>
      value[0] === Kind.ephemeral && value[1] === 'roomActivity' ? [value[2].messageId] : [],
    )
    expect(highest.every((id) => id === first)).toBe(true)
    const asked = async (client: TestClient) =>
      (await client.request('watchRooms', { roomIds: [1] })) as { rooms: { messageId: number }[] }
    expect((await asked(ada)).rooms).toEqual([{ roomId: 1, messageId: first }])
    expect((await asked(ece)).rooms).toEqual([{ roomId: 1, messageId: second }])
  })

  it('[REL-11] every line of the blocker follows, in whichever order things are done, and no line of anybody else', async () => {
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

  it('[REL-12] leaves no page short that can be filled', async () => {
    const insert = (count: number, senderId: number) => ({ count, senderId })
    const { default: Sqlite } = await import('better-sqlite3')
    const db = new Sqlite(site.appContext.settings.databaseFile)
    const row = db.prepare(
      "insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt) values (1, ?, 'elma', 1, ?, 1)",
    )
    const { can, ece } = testUsers
    for (const { count, senderId } of [insert(50, ece.userId), insert(300, can.userId), insert(3, ece.userId)])
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

describe('what somebody does whom one has blocked', () => {
  it('[REL-10] is told all the same: popups, clearings, bans, comings and goings, faces', async () => {
    await block('ada', 'can')
    const bad = await site.createGuest('kötü')
    const badLine = await site.connectAs(bad, 1)
    const actor = { ...testUsers.can, role: 'rootadmin' as const }
    await site.appContext.execute(sendPopup, actor, { message: 'Duyuru', imagePath: null, roomId: 1 })
    expect(await clients.ada.waitForEvent('popupNotification')).toMatchObject({ senderUsername: 'can' })
    await clients.can.request('clearRoomMessages', { roomId: 1 })
    await clients.ada.waitForEvent('clearMessages')
    const ban = { targetname: 'kötü', duration: '10min', banReason: 'Diğer' } as const
    await clients.can.request('banUser', ban)
    expect(await clients.ada.waitForEvent('userBanned')).toMatchObject({ bannedBy: 'can' })
    expect(badLine.transport.closeCode).not.toBeNull()
    clients.can.disconnect()
    expect(await clients.ada.waitForEvent('user-left', ({ username }) => username === 'can')).toBeTruthy()
    await site.connectAs(testUsers.can, 1)
    const isCan = ({ user }: Record<string, unknown>) => (user as { username: string }).username === 'can'
    expect(await clients.ada.waitForEvent('user-joined', isCan)).toBeTruthy()
  })

  it('[REL-07] [REL-11] is not found by a search that ends after the block', async () => {
    await sendMessage('can', 'Elma')
    await searchMessages('ece', 'elma')
    const asked = clients.ada.request('searchMessages', { roomId: 1, text: 'elma' })
    await block('ada', 'can')
    await clients.ada.waitForEvent('userBlocked')
    const found = (await asked) as { messages: Message[] }
    const values = clients.ada.transport.received
    const blockedAt = values.findIndex((value) => value[0] === Kind.event && value[2] === 'userBlocked')
    const foundAt = values.findIndex((value) => value[0] === Kind.answer && 'messages' in value[2])
    expect(contentsOf(found.messages)).toEqual(blockedAt < foundAt ? [] : ['Elma'])
  })
})
