import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestWorld, type TestClient, type TestPerson, type TestWorld } from '../testing/world.ts'

let site: TestWorld
let root: TestPerson
let rootLine: TestClient
beforeEach(async () => {
  site = await openTestWorld({ MEYDAN_LIMIT_SCALE: '1000' })
  root = await site.makeRootAdmin('Yönetici')
  rootLine = await site.join(root, 1)
})
afterEach(() => site.end())

/** Enters a room and waits until speaking is allowed there. */
async function arrive(username: string, roomId = 1) {
  const person = await site.enter(username)
  const line = await site.join(person, roomId)
  site.clock.aheadMs += 10_000
  return { person, line }
}

async function say(line: TestClient, content: string, more: { roomId?: number; replyTo?: { id: number } } = {}) {
  const said = await line.request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
  if ('code' in said || said.id === undefined) throw new Error(`"${content}" was not said: ${JSON.stringify(said)}`)
  return said.id
}

/** What the room's page shows somebody who comes now. */
async function shown(roomId = 1): Promise<string[]> {
  const line = await site.join(await site.enter(`Yeni${randomUUID().slice(0, 8)}`), roomId)
  const { messages } = await line.heard('loadRoomMessages')
  return (messages as { content: string }[]).map(({ content }) => content)
}

async function history(line: TestClient) {
  const page = await line.request('getMessages', { roomId: 1 })
  if ('code' in page) throw new Error(page.code)
  return page.messages
}

async function found(line: TestClient, text: string) {
  await site.world.execute('indexMessages', null, {})
  const page = await line.request('searchMessages', { roomId: 1, text })
  if ('code' in page) throw new Error(page.code)
  return page.messages.map(({ content }) => content)
}

const ban = (username: string) =>
  site.world.execute('banUser', root, { username, duration: '10min', banReason: 'Uygunsuz Mesaj' })
const rows = () => site.world.read.snapshot((reader) => reader.all({ sql: 'select id from message', bind: () => [] }))

describe('what a banned person said', () => {
  it('[MOD-10] [MOD-14] goes from the thread, quotes, history and search of its rooms at once', async () => {
    const kaba = await arrive('Kaba')
    const papatya = await arrive('Papatya')
    const elsewhere = await arrive('Lale', 2)
    await say(papatya.line, 'iyi akşamlar')
    const bad = await say(kaba.line, 'kötü sözler')
    await say(papatya.line, 'ayıp', { replyTo: { id: bad } })
    expect(await found(papatya.line, 'sözler')).toEqual(['Kötü sözler'])

    await ban('Kaba')
    const told = await papatya.line.heard('removeBannedMessages')
    expect(told).toEqual({ roomId: 1, userId: kaba.person.userId, username: 'Kaba' })
    const now = await history(papatya.line)
    expect(now.map(({ content }) => content)).toEqual(['İyi akşamlar', 'Ayıp'])
    expect(now[1]?.replyTo).toEqual({ id: bad, content: null, senderId: null, senderUsername: null })
    expect(await found(papatya.line, 'sözler')).toEqual([])
    expect(await shown()).toEqual(['İyi akşamlar', 'Ayıp'])
    expect(elsewhere.line.count('removeBannedMessages')).toBe(0)
  })

  it('[MOD-10] [CHAT-31] is not brought by a search that was under way', async () => {
    const kaba = await arrive('Kaba')
    const papatya = await arrive('Papatya')
    await say(papatya.line, 'güzel sözler')
    await say(kaba.line, 'kötü sözler')
    const { readSlowly } = site.world
    const banMeanwhile: typeof readSlowly = async (name, input) => {
      const read = await readSlowly(name, input)
      await ban('Kaba')
      return read
    }
    Object.assign(site.world, { readSlowly: banMeanwhile })
    expect(await found(papatya.line, 'sözler')).toEqual(['Güzel sözler'])
  })

  it('[MOD-10] goes from every room that it was said in', async () => {
    const { line } = await arrive('Kaba')
    const [inFirst, inSecond] = [await arrive('Bir'), await arrive('İki', 2)]
    await say(line, 'burada')
    await line.request('joinRoom', { roomId: 2 })
    site.clock.aheadMs += 10_000
    await say(line, 'orada', { roomId: 2 })
    await ban('Kaba')
    await inFirst.line.heard('removeBannedMessages', ({ roomId }) => roomId === 1)
    await inSecond.line.heard('removeBannedMessages', ({ roomId }) => roomId === 2)
    expect([...(await shown()), ...(await shown(2))]).toEqual([])
  })

  it('[MOD-12] is not replayed, neither to the room nor to whom it mentioned', async () => {
    const kaba = await arrive('Kaba')
    const papatya = await arrive('Papatya')
    const { cursor } = await welcome(papatya.person)
    papatya.line.cut()
    await say(kaba.line, 'kötü sözler @Papatya')
    await ban('Kaba')

    const inRoom = await welcome(papatya.person, { cursor, roomId: 1 })
    expect(inRoom.resumed).toBe(false)
    const outside = await welcome(papatya.person, { cursor })
    expect(outside.resumed).toBe(true)
    await outside.line.request('getRooms', {})
    expect(outside.line.count('mentionNotification')).toBe(0)
    const joined = await outside.line.request('joinRoom', { roomId: 1, cursor })
    expect(joined).not.toHaveProperty('missed')
    expect((await outside.line.heard('loadRoomMessages')).messages).toEqual([])
  })
})

async function welcome(person: TestPerson, more: { cursor?: number; roomId?: number } = {}) {
  const line = site.connect()
  const hello = { protocol: 1, token: person.token, browserId: 'tarayıcı', platform: 'web' } as const
  const answer = await line.request('hello', { ...hello, ...more })
  if ('code' in answer) throw new Error(answer.code)
  return { line, ...answer }
}

describe('a room that is cleared', () => {
  it('[MOD-11] is empty for everybody at once, in its history and its search; what is said after stays', async () => {
    const papatya = await arrive('Papatya')
    const elsewhere = await arrive('Lale', 2)
    const old = await say(papatya.line, 'eski sözler')
    await say(rootLine, 'eski sözler benden')
    await say(elsewhere.line, 'öteki oda', { roomId: 2 })
    expect(await papatya.line.request('clearRoomMessages', { roomId: 1 })).toMatchObject({ code: 'Forbidden' })
    expect(await rootLine.request('clearRoomMessages', { roomId: 99 })).toMatchObject({ code: 'RoomNotFound' })
    expect(await rootLine.request('clearRoomMessages', { roomId: 1 })).toEqual({ success: true })
    await papatya.line.heard('clearMessages', ({ roomId }) => roomId === 1)
    expect(await history(papatya.line)).toEqual([])
    expect(await found(papatya.line, 'sözler')).toEqual([])

    await say(papatya.line, 'yeni sözler', { replyTo: { id: old } })
    expect((await history(papatya.line)).map(({ content, replyTo }) => [content, replyTo?.content])).toEqual([
      ['Yeni sözler', null],
    ])
    expect(await found(papatya.line, 'sözler')).toEqual(['Yeni sözler'])
    expect(await shown()).toEqual(['Yeni sözler'])
    expect(await shown(2)).toEqual(['Öteki oda'])
    expect(elsewhere.line.count('clearMessages')).toBe(0)
  })

  it('[MOD-13] is deleted in small steps, and no id comes again', async () => {
    const papatya = await arrive('Papatya')
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push(await say(rootLine, `Söz ${i}`))
    await rootLine.request('clearRoomMessages', { roomId: 1 })
    let step = await site.world.execute('removeMessages', null, {})
    while ('removed' in step && step.removed > 0) step = await site.world.execute('removeMessages', null, {})
    expect(rows()).toEqual([{ id: ids.at(-1) }])
    expect(await history(papatya.line)).toEqual([])

    const next = await say(papatya.line, 'yeni')
    expect(next).toBe((ids.at(-1) ?? 0) + 1)
    await site.world.execute('removeMessages', null, {})
    expect(rows()).toEqual([{ id: next }])
    await site.world.execute('removeMessages', null, {})
    expect((await history(papatya.line)).map(({ id }) => id)).toEqual([next])
  })
})
