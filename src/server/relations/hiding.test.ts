import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../shared/protocol/frame.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { Message } from '../../shared/room-chat/message.ts'
import { listLatestMessages } from '../room-chat/queries.ts'
import { hello, openTestWorld, type TestClient, type TestPerson, type TestWorld } from '../testing/world.ts'
import { viewerOf } from './queries.ts'

type Name = 'ada' | 'can' | 'deniz' | 'ece'
const gone = (id: number) => ({ id, content: null, senderId: null, senderUsername: null })

/** Ada has blocked Can. Deniz speaks with both, Ece stands by. All are root admins, so that no wait holds them up. */
let site: TestWorld
let people: Record<Name, TestPerson>
let lines: Record<Name, TestClient>
beforeEach(async () => {
  site = await openTestWorld({ MEYDAN_LIMIT_SCALE: '100' })
  const [ada, can, deniz, ece] = await Promise.all(
    ['ada', 'can', 'deniz', 'ece'].map((name) => site.makeRootAdmin(name)),
  )
  people = { ada, can, deniz, ece } as Record<Name, TestPerson> // four were made
  lines = await byName(async (name) => site.join(people[name], 1))
})
afterEach(() => site.end())

async function byName<T>(each: (name: Name) => Promise<T>): Promise<Record<Name, T>> {
  const names: Name[] = ['ada', 'can', 'deniz', 'ece']
  const entries = await Promise.all(names.map(async (name) => [name, await each(name)] as const))
  return Object.fromEntries(entries) as Record<Name, T>
}

async function change(command: 'blockUser' | 'unblockUser', who: Name, whom: Name): Promise<void> {
  const actor = { ...people[who], role: 'rootadmin' as const }
  const done = await site.world.execute(command, actor, { blockedUsername: whom })
  if (done instanceof Refusal) throw new Error(done.body.code)
}
const block = (who: Name, whom: Name) => change('blockUser', who, whom)
const unblock = (who: Name, whom: Name) => change('unblockUser', who, whom)

async function say(who: Name, content: string, replyTo?: number): Promise<number> {
  const more = replyTo === undefined ? {} : { replyTo: { id: replyTo } }
  const answer = await lines[who].request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
  if (!('success' in answer)) throw new Error(answer.code)
  return Number(answer.id)
}

/** Finds in the room, once what was said so far can be found. */
async function find(name: Name, text: string): Promise<Message[]> {
  await site.world.execute('indexMessages', null, {})
  const found = await lines[name].request('searchMessages', { roomId: 1, text })
  return (found as { messages: Message[] }).messages
}

/** What a line has heard in the room, once everything that was said so far has been handed out. */
async function heardBy(name: Name, client = lines[name]): Promise<Message[]> {
  await client.request('getStatus', {})
  return client.line.received.flatMap((value) =>
    value[0] === Kind.event && value[2] === 'message' ? [value[3] as Message] : [],
  )
}
const said = (messages: readonly Message[]) => messages.map(({ content }) => content)
const pageOf = (name: Name, roomId = 1) =>
  listLatestMessages(site.world.read, roomId, viewerOf(site.world.read, { ...people[name], role: 'rootadmin' }))

describe('what somebody says whom one has blocked', () => {
  it('[REL-07] [REL-09] [REL-11] is not heard, from the block to its end; the others hear all of it, and so does who is blocked', async () => {
    await say('can', 'Önce')
    await block('ada', 'can')
    await say('can', 'Engelliyken')
    await say('ada', 'Benden')
    await unblock('ada', 'can')
    await say('can', 'Sonra')
    const heard = await byName(heardBy)
    expect(said(heard.ada)).toEqual(['Önce', 'Benden', 'Sonra'])
    const all = ['Önce', 'Engelliyken', 'Benden', 'Sonra']
    for (const name of ['can', 'deniz', 'ece'] as const) expect(said(heard[name])).toEqual(all)
    expect(heard.ece).toEqual(heard.can)
  })

  it('[REL-09] nobody but the two gets a frame more or less, and counters stay', async () => {
    const before = await lines.can.request('getStatus', { roomId: 1 })
    await block('ada', 'can')
    await say('can', 'Bir')
    await heardBy('ada')
    const kinds = (client: TestClient) => client.line.received.filter(([kind]) => kind === Kind.event)
    await heardBy('ece')
    expect(kinds(lines.ece).map((value) => value[2])).toEqual(['message'])
    expect(kinds(lines.ada).map((value) => value[2])).toEqual(['userBlocked'])
    await heardBy('can')
    expect(kinds(lines.can).map((value) => value[2])).toEqual(['userBlocked', 'message'])
    expect(await lines.can.request('getStatus', { roomId: 1 })).toEqual(before)
    expect(await lines.ada.request('getStatus', { roomId: 1 })).toEqual(before)
    expect(await lines.ada.request('getRoomUsers', { roomId: 1 })).toEqual(
      await lines.ece.request('getRoomUsers', { roomId: 1 }),
    )
  })

  it('[REL-08] is not quoted to one either: live, replayed, on a page, in the history, by a search', async () => {
    const original = await say('can', 'Asıl sözler')
    await block('ada', 'can')
    const answer = await say('deniz', 'Cevap veriyorum', original)
    const quote = { id: original, content: 'Asıl sözler', senderId: people.can.userId, senderUsername: 'can' }
    const seen = async (name: Name) => {
      const { messages: history } = (await lines[name].request('getMessages', { roomId: 1 })) as { messages: Message[] }
      const found = await find(name, 'cevap')
      const again = site.connect()
      await hello(again, people[name], { cursor: 1, roomId: 1 })
      const wherever = [await heardBy(name), pageOf(name), history, found, await heardBy(name, again)]
      return wherever.map((messages) => messages.find(({ id }) => id === answer)?.replyTo)
    }
    expect(await seen('ada')).toEqual(Array(5).fill(gone(original)))
    for (const name of ['can', 'deniz', 'ece'] as const) expect(await seen(name)).toEqual(Array(5).fill(quote))
  })

  it('[REL-07] [REL-11] is not replayed, when resuming or when entering from a page; what was missed around it is', async () => {
    const cursor = site.world.read.cursor()
    await block('ada', 'can')
    await say('can', 'Gizli')
    await say('deniz', 'Açık')
    const resume = async (name: Name) => {
      const client = site.connect()
      await hello(client, people[name], { cursor, roomId: 1 })
      return said(await heardBy(name, client))
    }
    const entered = async (name: Name) => {
      const client = site.connect()
      await hello(client, people[name])
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
    await say('can', 'Elma ağacı')
    await say('deniz', 'Elma şekeri')
    await block('ada', 'can')
    const everywhere = async (name: Name) => {
      const { messages: history } = (await lines[name].request('getMessages', { roomId: 1 })) as { messages: Message[] }
      const found = await find(name, 'elma')
      const entering = site.connect()
      await hello(entering, people[name])
      await entering.request('joinRoom', { roomId: 1 })
      const loaded = (await entering.heard('loadRoomMessages')).messages as Message[]
      return [pageOf(name), history, found, loaded].map((messages) => said(messages).toSorted())
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
    await say('can', 'Merhaba @ada ve @deniz')
    await say('ada', 'Merhaba @can')
    await say('ece', 'Merhaba @ada')
    expect(await lines.deniz.heard('mentionNotification')).toMatchObject({ messageSender: 'can' })
    expect(await lines.can.heard('mentionNotification')).toMatchObject({ messageSender: 'ada' })
    expect(await lines.ada.heard('mentionNotification')).toMatchObject({ messageSender: 'ece' })
    await heardBy('ada')
    expect([lines.ada.count('mentionNotification'), lines.ece.count('mentionNotification')]).toEqual([1, 0])
  })

  it('[REL-07] [REL-09] shows nobody who has blocked them that they are writing, though others are', async () => {
    await block('ada', 'can')
    await lines.can.request('typing', { roomId: 1 })
    const can = { id: people.can.userId, username: 'can' }
    for (const name of ['can', 'deniz', 'ece'] as const) {
      expect(await lines[name].heard('typing')).toEqual({ roomId: 1, users: [can] })
    }
    await heardBy('ada')
    expect(lines.ada.count('typing')).toBe(0)
    await lines.can.request('typing', { roomId: 1 })
    await lines.deniz.request('typing', { roomId: 1 })
    const deniz = { id: people.deniz.userId, username: 'deniz' }
    expect(await lines.ece.heard('typing', ({ users }) => (users as unknown[]).length === 2)).toEqual({
      roomId: 1,
      users: [can, deniz],
    })
    expect(await lines.ada.heard('typing')).toEqual({ roomId: 1, users: [deniz] })
  })

  it('[REL-15] stirs no room that one has left, and stirs it for the others', async () => {
    await block('ada', 'can')
    const watch = async (name: Name) => {
      const client = await site.join(people[name], 2)
      await client.request('watchRooms', { roomIds: [1] })
      return client
    }
    const [ada, ece] = [await watch('ada'), await watch('ece')]
    const first = await say('deniz', 'Bir')
    expect(await ada.heard('roomActivity')).toEqual({ roomId: 1, messageId: first })
    const second = await say('can', 'İki')
    expect(await ece.heard('roomActivity', ({ messageId }) => messageId === second)).toBeTruthy()
    const highest = ada.line.received.flatMap((value) =>
      value[0] === Kind.moment && value[1] === 'roomActivity' ? [value[2].messageId] : [],
    )
    expect(highest.every((id) => id === first)).toBe(true)
    const asked = async (client: TestClient) =>
      (await client.request('watchRooms', { roomIds: [1] })) as { rooms: { messageId: number }[] }
    expect((await asked(ada)).rooms).toEqual([{ roomId: 1, messageId: first }])
    expect((await asked(ece)).rooms).toEqual([{ roomId: 1, messageId: second }])
  })

  it('[REL-11] every line of the blocker follows, in whichever order things are done, and no line of anybody else', async () => {
    const second = await site.join(people.ada, 1)
    await block('ada', 'can')
    await block('ada', 'deniz')
    await say('can', 'Bir')
    await unblock('ada', 'can')
    await say('can', 'İki')
    await say('deniz', 'Üç')
    const third = await site.join(people.ada, 1)
    await say('ece', 'Dört')
    await say('deniz', 'Beş')
    expect(said(await heardBy('ada'))).toEqual(['İki', 'Dört'])
    expect(said(await heardBy('ada', second))).toEqual(['İki', 'Dört'])
    expect(said(await heardBy('ada', third))).toEqual(['Dört'])
    expect(said(await heardBy('ece'))).toEqual(['Bir', 'İki', 'Üç', 'Dört', 'Beş'])
  })

  it('[REL-12] leaves no page short that can be filled', async () => {
    const insert = (count: number, senderId: number) => ({ count, senderId })
    const { default: Sqlite } = await import('better-sqlite3')
    const db = new Sqlite(site.world.settings.databaseFile)
    const row = db.prepare(
      "insert into message (roomId, senderId, content, run, clientId, createdAt) values (1, ?, 'elma', 1, ?, 1)",
    )
    const { can, ece } = people
    for (const { count, senderId } of [insert(50, ece.userId), insert(300, can.userId), insert(3, ece.userId)])
      for (let n = 0; n < count; n++) row.run(senderId, randomUUID())
    db.close()
    await block('ada', 'can')
    expect(pageOf('ada')).toHaveLength(40)
    expect(pageOf('ada').every(({ senderId }) => senderId === ece.userId)).toBe(true)
    const before = pageOf('ada')[0]?.id
    expect(await lines.ada.request('getMessages', { roomId: 1, before })).toMatchObject({ more: false })
    const page = (await lines.ada.request('getMessages', { roomId: 1, before })) as { messages: Message[] }
    expect(page.messages).toHaveLength(13)
  })
})

describe('what somebody does whom one has blocked', () => {
  it('[REL-10] is told all the same: popups, clearings, bans, comings and goings, faces', async () => {
    await block('ada', 'can')
    const bad = await site.enter('kötü')
    const badLine = await site.join(bad, 1)
    const actor = { ...people.can, role: 'rootadmin' as const }
    await site.world.execute('sendPopup', actor, { message: 'Duyuru', imagePath: null, roomId: 1 })
    expect(await lines.ada.heard('popupNotification')).toMatchObject({ senderUsername: 'can' })
    await lines.can.request('clearRoomMessages', { roomId: 1 })
    await lines.ada.heard('clearMessages')
    const ban = { targetname: 'kötü', duration: '10min', banReason: 'Diğer' } as const
    await lines.can.request('banUser', ban)
    expect(await lines.ada.heard('userBanned')).toMatchObject({ bannedBy: 'can' })
    expect(badLine.line.closedWith).not.toBeNull()
    lines.can.cut()
    expect(await lines.ada.heard('user-left', ({ username }) => username === 'can')).toBeTruthy()
    await site.join(people.can, 1)
    const isCan = ({ user }: Record<string, unknown>) => (user as { username: string }).username === 'can'
    expect(await lines.ada.heard('user-joined', isCan)).toBeTruthy()
  })

  it('[REL-07] [REL-11] is not found by a search that ends after the block', async () => {
    await say('can', 'Elma')
    await find('ece', 'elma')
    const asked = lines.ada.request('searchMessages', { roomId: 1, text: 'elma' })
    await block('ada', 'can')
    await lines.ada.heard('userBlocked')
    const found = (await asked) as { messages: Message[] }
    const values = lines.ada.line.received
    const blockedAt = values.findIndex((value) => value[0] === Kind.event && value[2] === 'userBlocked')
    const foundAt = values.findIndex((value) => value[0] === Kind.answer && 'messages' in value[2])
    expect(said(found.messages)).toEqual(blockedAt < foundAt ? [] : ['Elma'])
  })
})
