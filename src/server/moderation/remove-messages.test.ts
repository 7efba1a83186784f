import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexMessages } from '../room-chat/index-messages.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../testing/fixtures/test-region.ts'
import { banUser } from './ban-user.ts'
import { deleteRemovedMessages } from './remove-messages.ts'

let site: TestRegion
let root: TestUser
let rootClient: TestClient
beforeEach(async () => {
  site = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  root = await site.createRootAdmin('Yönetici')
  rootClient = await site.connectAs(root, 1)
})
afterEach(() => site.destroy())

/** Enters a room and waits until speaking is allowed there. */
async function joinRoom(username: string, roomId = 1) {
  const person = await site.createGuest(username)
  const line = await site.connectAs(person, roomId)
  site.clockOffset.aheadMs += 10_000
  return { person, line }
}

async function sendMessage(
  line: TestClient,
  content: string,
  more: { roomId?: number; replyTo?: { id: number } } = {},
) {
  const said = await line.request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
  if ('code' in said || said.id === undefined) throw new Error(`"${content}" was not said: ${JSON.stringify(said)}`)
  return said.id
}

/** What the room's page shows somebody who comes now. */
async function renderedMessages(roomId = 1): Promise<string[]> {
  const line = await site.connectAs(await site.createGuest(`Yeni${randomUUID().slice(0, 8)}`), roomId)
  const { messages } = await line.waitForEvent('loadRoomMessages')
  return (messages as { content: string }[]).map(({ content }) => content)
}

async function getHistory(line: TestClient) {
  const page = await line.request('getMessages', { roomId: 1 })
  if ('code' in page) throw new Error(page.code)
  return page.messages
}

async function searchMessages(line: TestClient, text: string) {
  await site.appContext.execute(indexMessages, null, {})
  const page = await line.request('searchMessages', { roomId: 1, text })
  if ('code' in page) throw new Error(page.code)
  return page.messages.map(({ content }) => content)
}

const ban = (username: string) =>
  site.appContext.execute(banUser, root, { username, duration: '10min', banReason: 'Uygunsuz Mesaj' })
const rows = () =>
  site.appContext.reader.snapshot((reader) => reader.all({ sql: 'select id from message', bind: () => [] }))

describe('what a banned person said', () => {
  it('[MOD-10] [MOD-14] goes from the thread, quotes, history and search of its rooms at once', async () => {
    const kaba = await joinRoom('Kaba')
    const papatya = await joinRoom('Papatya')
    const elsewhere = await joinRoom('Lale', 2)
    await sendMessage(papatya.line, 'iyi akşamlar')
    const bad = await sendMessage(kaba.line, 'kötü sözler')
    await sendMessage(papatya.line, 'ayıp', { replyTo: { id: bad } })
    expect(await searchMessages(papatya.line, 'sözler')).toEqual(['Kötü sözler'])

    await ban('Kaba')
    const told = await papatya.line.waitForEvent('removeBannedMessages')
    expect(told).toEqual({ roomId: 1, userId: kaba.person.userId, username: 'Kaba' })
    const now = await getHistory(papatya.line)
    expect(now.map(({ content }) => content)).toEqual(['İyi akşamlar', 'Ayıp'])
    expect(now[1]?.replyTo).toEqual({ id: bad, content: null, senderId: null, senderUsername: null })
    expect(await searchMessages(papatya.line, 'sözler')).toEqual([])
    expect(await renderedMessages()).toEqual(['İyi akşamlar', 'Ayıp'])
    expect(elsewhere.line.countEvents('removeBannedMessages')).toBe(0)
  })

  it('[MOD-10] [CHAT-31] is not brought by a search that was under way', async () => {
    const kaba = await joinRoom('Kaba')
    const papatya = await joinRoom('Papatya')
    await sendMessage(papatya.line, 'güzel sözler')
    await sendMessage(kaba.line, 'kötü sözler')
    const { readInWorker } = site.appContext
    const banMeanwhile: typeof readInWorker = async (name, input) => {
      const read = await readInWorker(name, input)
      await ban('Kaba')
      return read
    }
    Object.assign(site.appContext, { readInWorker: banMeanwhile })
    expect(await searchMessages(papatya.line, 'sözler')).toEqual(['Güzel sözler'])
  })

  it('[MOD-10] goes from every room that it was said in', async () => {
    const { line } = await joinRoom('Kaba')
    const [inFirst, inSecond] = [await joinRoom('Bir'), await joinRoom('İki', 2)]
    await sendMessage(line, 'burada')
    await line.request('joinRoom', { roomId: 2 })
    site.clockOffset.aheadMs += 10_000
    await sendMessage(line, 'orada', { roomId: 2 })
    await ban('Kaba')
    await inFirst.line.waitForEvent('removeBannedMessages', ({ roomId }) => roomId === 1)
    await inSecond.line.waitForEvent('removeBannedMessages', ({ roomId }) => roomId === 2)
    expect([...(await renderedMessages()), ...(await renderedMessages(2))]).toEqual([])
  })

  it('[MOD-12] is not replayed, neither to the room nor to whom it mentioned', async () => {
    const kaba = await joinRoom('Kaba')
    const papatya = await joinRoom('Papatya')
    const { cursor } = await sayHello(papatya.person)
    papatya.line.disconnect()
    await sendMessage(kaba.line, 'kötü sözler @Papatya')
    await ban('Kaba')

    const inRoom = await sayHello(papatya.person, { cursor, roomId: 1 })
    expect(inRoom.resumed).toBe(false)
    const outside = await sayHello(papatya.person, { cursor })
    expect(outside.resumed).toBe(true)
    await outside.line.request('getRooms', {})
    expect(outside.line.countEvents('mentionNotification')).toBe(0)
    const joined = await outside.line.request('joinRoom', { roomId: 1, cursor })
    expect(joined).not.toHaveProperty('missed')
    expect((await outside.line.waitForEvent('loadRoomMessages')).messages).toEqual([])
  })
})

async function sayHello(person: TestUser, more: { cursor?: number; roomId?: number } = {}) {
  const line = site.openConnection()
  const hello = { protocol: 1, token: person.token, browserId: 'tarayıcı', platform: 'web' } as const
  const answer = await line.request('hello', { ...hello, ...more })
  if ('code' in answer) throw new Error(answer.code)
  return { line, ...answer }
}

describe('a room that is cleared', () => {
  it('[MOD-11] is empty for everybody at once, in its history and its search; what is said after stays', async () => {
    const papatya = await joinRoom('Papatya')
    const elsewhere = await joinRoom('Lale', 2)
    const old = await sendMessage(papatya.line, 'eski sözler')
    await sendMessage(rootClient, 'eski sözler benden')
    await sendMessage(elsewhere.line, 'öteki oda', { roomId: 2 })
    expect(await papatya.line.request('clearRoomMessages', { roomId: 1 })).toMatchObject({ code: 'Forbidden' })
    expect(await rootClient.request('clearRoomMessages', { roomId: 99 })).toMatchObject({ code: 'RoomNotFound' })
    expect(await rootClient.request('clearRoomMessages', { roomId: 1 })).toEqual({ success: true })
    await papatya.line.waitForEvent('clearMessages', ({ roomId }) => roomId === 1)
    expect(await getHistory(papatya.line)).toEqual([])
    expect(await searchMessages(papatya.line, 'sözler')).toEqual([])

    await sendMessage(papatya.line, 'yeni sözler', { replyTo: { id: old } })
    expect((await getHistory(papatya.line)).map(({ content, replyTo }) => [content, replyTo?.content])).toEqual([
      ['Yeni sözler', null],
    ])
    expect(await searchMessages(papatya.line, 'sözler')).toEqual(['Yeni sözler'])
    expect(await renderedMessages()).toEqual(['Yeni sözler'])
    expect(await renderedMessages(2)).toEqual(['Öteki oda'])
    expect(elsewhere.line.countEvents('clearMessages')).toBe(0)
  })

  it('[MOD-13] is deleted in small steps, and no id comes again', async () => {
    const papatya = await joinRoom('Papatya')
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push(await sendMessage(rootClient, `Söz ${i}`))
    await rootClient.request('clearRoomMessages', { roomId: 1 })
    let step = await site.appContext.execute(deleteRemovedMessages, null, {})
    while ('removed' in step && step.removed > 0) step = await site.appContext.execute(deleteRemovedMessages, null, {})
    expect(rows()).toEqual([{ id: ids.at(-1) }])
    expect(await getHistory(papatya.line)).toEqual([])

    const next = await sendMessage(papatya.line, 'yeni')
    expect(next).toBe((ids.at(-1) ?? 0) + 1)
    await site.appContext.execute(deleteRemovedMessages, null, {})
    expect(rows()).toEqual([{ id: next }])
    await site.appContext.execute(deleteRemovedMessages, null, {})
    expect((await getHistory(papatya.line)).map(({ id }) => id)).toEqual([next])
  })
})
