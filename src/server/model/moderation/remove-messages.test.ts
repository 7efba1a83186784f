import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { banUser } from '../../features/moderation/ban-user.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { indexMessages } from '../conversations/index-messages.ts'
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

/** Joins a room as a new guest and advances the clock past the wait for the first message. */
async function joinRoom(username: string, roomId = 1) {
  const user = await site.createGuest(username)
  const client = await site.connectAs(user, roomId)
  site.clockOffset.aheadMs += 10_000
  return { user, client }
}

async function sendMessage(
  client: TestClient,
  content: string,
  more: { roomId?: number; replyTo?: { id: number } } = {},
) {
  const answer = await client.request('sendMessage', { roomId: 1, content, clientId: randomUUID(), ...more })
  if ('code' in answer || answer.id === undefined)
    throw new Error(`"${content}" was not sent: ${JSON.stringify(answer)}`)
  return answer.id
}

/** The messages that a new visitor of the room gets. */
async function renderedMessages(roomId = 1): Promise<string[]> {
  const client = await site.connectAs(await site.createGuest(`Yeni${randomUUID().slice(0, 8)}`), roomId)
  const { messages } = await client.waitForEvent('loadRoomMessages')
  return (messages as { content: string }[]).map(({ content }) => content)
}

async function getHistory(client: TestClient) {
  const page = await client.request('getMessages', { roomId: 1 })
  if ('code' in page) throw new Error(page.code)
  return page.messages
}

async function searchMessages(client: TestClient, text: string) {
  await site.appContext.execute(indexMessages, null, {})
  const page = await client.request('searchMessages', { roomId: 1, text })
  if ('code' in page) throw new Error(page.code)
  return page.messages.map(({ content }) => content)
}

const ban = (username: string) =>
  site.appContext.execute(banUser, root, { username, duration: '10min', banReason: 'Uygunsuz Mesaj' })
const listMessageIds = () =>
  site.appContext.reader.snapshot((reader) => reader.all({ sql: 'select id from message', bind: () => [] }))

describe('messages of a banned user', () => {
  it('[MOD-10] [MOD-14] disappear from thread, quotes, history and search of their rooms at once', async () => {
    const kaba = await joinRoom('Kaba')
    const papatya = await joinRoom('Papatya')
    const elsewhere = await joinRoom('Lale', 2)
    await sendMessage(papatya.client, 'iyi akşamlar')
    const bad = await sendMessage(kaba.client, 'kötü sözler')
    await sendMessage(papatya.client, 'ayıp', { replyTo: { id: bad } })
    expect(await searchMessages(papatya.client, 'sözler')).toEqual(['Kötü sözler'])

    await ban('Kaba')
    const removal = await papatya.client.waitForEvent('removeBannedMessages')
    expect(removal).toEqual({ roomId: 1, userId: kaba.user.userId, username: 'Kaba' })
    const history = await getHistory(papatya.client)
    expect(history.map(({ content }) => content)).toEqual(['İyi akşamlar', 'Ayıp'])
    expect(history[1]?.replyTo).toEqual({ id: bad, content: null, senderId: null, senderUsername: null })
    expect(await searchMessages(papatya.client, 'sözler')).toEqual([])
    expect(await renderedMessages()).toEqual(['İyi akşamlar', 'Ayıp'])
    expect(elsewhere.client.countEvents('removeBannedMessages')).toBe(0)
  })

  it('[MOD-10] [CHAT-31] are left out of a search that was running during the ban', async () => {
    const kaba = await joinRoom('Kaba')
    const papatya = await joinRoom('Papatya')
    await sendMessage(papatya.client, 'güzel sözler')
    await sendMessage(kaba.client, 'kötü sözler')
    const { readInWorker } = site.appContext
    const banMeanwhile: typeof readInWorker = async (read, input) => {
      const result = await readInWorker(read, input)
      await ban('Kaba')
      return result
    }
    Object.assign(site.appContext, { readInWorker: banMeanwhile })
    expect(await searchMessages(papatya.client, 'sözler')).toEqual(['Güzel sözler'])
  })

  it('[MOD-10] disappear from every room that has any', async () => {
    const { client } = await joinRoom('Kaba')
    const [inFirst, inSecond] = [await joinRoom('Bir'), await joinRoom('İki', 2)]
    await sendMessage(client, 'burada')
    await client.request('joinRoom', { roomId: 2 })
    site.clockOffset.aheadMs += 10_000
    await sendMessage(client, 'orada', { roomId: 2 })
    await ban('Kaba')
    await inFirst.client.waitForEvent('removeBannedMessages', ({ roomId }) => roomId === 1)
    await inSecond.client.waitForEvent('removeBannedMessages', ({ roomId }) => roomId === 2)
    expect([...(await renderedMessages()), ...(await renderedMessages(2))]).toEqual([])
  })

  it('[MOD-12] are not replayed to the room or to a mentioned user', async () => {
    const kaba = await joinRoom('Kaba')
    const papatya = await joinRoom('Papatya')
    const { cursor } = await connectWithHello(papatya.user)
    papatya.client.disconnect()
    await sendMessage(kaba.client, 'kötü sözler @Papatya')
    await ban('Kaba')

    const inRoom = await connectWithHello(papatya.user, { cursor, roomId: 1 })
    expect(inRoom.resumed).toBe(false)
    const outside = await connectWithHello(papatya.user, { cursor })
    expect(outside.resumed).toBe(true)
    await outside.client.request('getRooms', {})
    expect(outside.client.countEvents('mentionNotification')).toBe(0)
    const joined = await outside.client.request('joinRoom', { roomId: 1, cursor })
    expect(joined).not.toHaveProperty('missed')
    expect((await outside.client.waitForEvent('loadRoomMessages')).messages).toEqual([])
  })
})

async function connectWithHello(user: TestUser, more: { cursor?: number; roomId?: number } = {}) {
  const client = site.openConnection()
  const hello = { protocol: 1, token: user.token, browserId: 'tarayıcı', platform: 'web' } as const
  const answer = await client.request('hello', { ...hello, ...more })
  if ('code' in answer) throw new Error(answer.code)
  return { client, ...answer }
}

describe('a cleared room', () => {
  it('[MOD-11] is empty at once in thread, history and search, and keeps later messages', async () => {
    const papatya = await joinRoom('Papatya')
    const elsewhere = await joinRoom('Lale', 2)
    const old = await sendMessage(papatya.client, 'eski sözler')
    await sendMessage(rootClient, 'eski sözler benden')
    await sendMessage(elsewhere.client, 'öteki oda', { roomId: 2 })
    expect(await papatya.client.request('clearRoomMessages', { roomId: 1 })).toMatchObject({ code: 'Forbidden' })
    expect(await rootClient.request('clearRoomMessages', { roomId: 99 })).toMatchObject({ code: 'RoomNotFound' })
    expect(await rootClient.request('clearRoomMessages', { roomId: 1 })).toEqual({ success: true })
    await papatya.client.waitForEvent('clearMessages', ({ roomId }) => roomId === 1)
    expect(await getHistory(papatya.client)).toEqual([])
    expect(await searchMessages(papatya.client, 'sözler')).toEqual([])

    await sendMessage(papatya.client, 'yeni sözler', { replyTo: { id: old } })
    expect((await getHistory(papatya.client)).map(({ content, replyTo }) => [content, replyTo?.content])).toEqual([
      ['Yeni sözler', null],
    ])
    expect(await searchMessages(papatya.client, 'sözler')).toEqual(['Yeni sözler'])
    expect(await renderedMessages()).toEqual(['Yeni sözler'])
    expect(await renderedMessages(2)).toEqual(['Öteki oda'])
    expect(elsewhere.client.countEvents('clearMessages')).toBe(0)
  })

  it('[MOD-13] is deleted in steps, and no message id is reused', async () => {
    const papatya = await joinRoom('Papatya')
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push(await sendMessage(rootClient, `Söz ${i}`))
    await rootClient.request('clearRoomMessages', { roomId: 1 })
    let step = await site.appContext.execute(deleteRemovedMessages, null, {})
    while ('removed' in step && step.removed > 0) step = await site.appContext.execute(deleteRemovedMessages, null, {})
    expect(listMessageIds()).toEqual([{ id: ids.at(-1) }])
    expect(await getHistory(papatya.client)).toEqual([])

    const next = await sendMessage(papatya.client, 'yeni')
    expect(next).toBe((ids.at(-1) ?? 0) + 1)
    await site.appContext.execute(deleteRemovedMessages, null, {})
    expect(listMessageIds()).toEqual([{ id: next }])
    await site.appContext.execute(deleteRemovedMessages, null, {})
    expect((await getHistory(papatya.client)).map(({ id }) => id)).toEqual([next])
  })
})
