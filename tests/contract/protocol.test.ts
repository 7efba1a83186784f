import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'
import { type AsyncApiDocument, validateServerValue } from './asyncapi-validator.ts'
import { encodeMessagePack, loginAsGuest, ProtocolClient, type ProtocolValue } from './protocol-client.ts'

let site: HttpRegion
let clients: ProtocolClient[]
beforeEach(async () => {
  site = await startHttpRegion()
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.terminate()
  await site.close()
})

async function connect(): Promise<ProtocolClient> {
  const client = await ProtocolClient.open(site.origin)
  clients.push(client)
  return client
}

/** Enters as a guest and says hello; with a room, joins it and waits until speaking is allowed there. */
async function connectGuest(username: string, roomId?: number) {
  const { token } = await loginAsGuest(site.origin, username)
  const client = await connect()
  await client.hello(token)
  if (roomId !== undefined) {
    await client.request('joinRoom', { roomId })
    site.region.clockOffset.aheadMs += 10_000
  }
  return { token, client }
}

function sendMessage(client: ProtocolClient, content: string, clientId: string = randomUUID()) {
  return client.request('sendMessage', { roomId: 1, content, clientId })
}

describe('a client that was written from docs/protocol.md', () => {
  it('[LIVE-33] enters, says hello, joins a room and talks with another one', async () => {
    const ada = await connectGuest('ada', 1)
    const can = await connectGuest('can', 1)
    const outside = await connectGuest('dışarıda')
    const answered = await sendMessage(ada.client, 'iyi akşamlar :)')
    expect(answered.answer).toMatchObject({ success: true, id: expect.any(Number) })
    const event = await can.client.waitForEvent('message')
    expect(event).toMatchObject({
      id: answered.answer?.id,
      content: 'İyi akşamlar 🙂',
      senderUsername: 'ada',
      roomId: 1,
    })
    await sendMessage(can.client, 'hoş geldin')
    await ada.client.waitForEvent('message', ({ content }) => content === 'Hoş geldin')
    await outside.client.request('getRooms')
    expect(outside.client.receivedPayloads('message')).toEqual([])
  })

  it('[LIVE-33] gets nothing that docs/asyncapi.json does not describe', async () => {
    const { client } = await connectGuest('ada', 1)
    await Promise.all([
      client.request('getRooms'),
      client.request('getRoomUsers', { roomId: 1 }),
      client.request('nothing'),
    ])
    await client.request('watchRoomCounts', { scope: 'all' })
    await connectGuest('can', 1)
    await sendMessage(client, 'merhaba')
    await client.waitForEvent('roomUserCountUpdate')
    const document: AsyncApiDocument = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../docs/asyncapi.json'), 'utf8'),
    )
    for (const value of client.received) expect(validateServerValue(document, value), JSON.stringify(value)).toEqual([])
    expect(new Set(client.received.map(([kind]) => kind))).toEqual(new Set([2, 3, 4, 5]))
  })

  it('[LIVE-01] may put several requests into one frame', async () => {
    const { token } = await loginAsGuest(site.origin, 'ada')
    const client = await connect()
    const hello = [1, 1, 'hello', { protocol: 1, token, browserId: 'b', platform: 'mobile' }]
    client.sendBytes(
      Buffer.concat([
        encodeMessagePack(hello),
        encodeMessagePack([0, 'getRooms', {}]),
        encodeMessagePack([1, 2, 'getRooms', null]),
      ]),
    )
    const answers = await Promise.all([1, 2].map((id) => client.waitForValue(([kind, of]) => kind === 2 && of === id)))
    expect(answers.map(([, , answer]) => answer)).toMatchObject([{ resumed: false }, { rooms: expect.any(Array) }])
  })

  it('[LIVE-15] reconnects with its cursor and gets all missed events in order, before newer ones', async () => {
    const ada = await connectGuest('ada', 1)
    const can = await connectGuest('can', 1)
    await sendMessage(ada.client, 'önce')
    await can.client.waitForEvent('message')
    can.client.terminate()
    for (const content of ['bir', 'iki', 'üç']) await sendMessage(ada.client, content)
    const back = await connect()
    const { answer } = await back.hello(can.token, { cursor: can.client.cursor, roomId: 1 })
    expect(answer).toMatchObject({ resumed: true })
    await sendMessage(back, 'dört')
    await back.waitForEvent('message', ({ content }) => content === 'Dört')
    expect(back.receivedPayloads('message').map(({ content }) => content)).toEqual(['Bir', 'İki', 'Üç', 'Dört'])
    const seqs = back.received.filter(([kind]) => kind === 4).map(([, seq]) => Number(seq))
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    expect(new Set(seqs).size).toBe(seqs.length)
  })

  it('[ROOM-08] joins with the cursor of a page and finds what it missed in the answer, or gets the messages after it', async () => {
    const ada = await connectGuest('ada', 1)
    await sendMessage(ada.client, 'bir')
    const cursor = ada.client.cursor
    await sendMessage(ada.client, 'iki')
    const { client } = await connectGuest('can')
    const { answer } = await client.request('joinRoom', { roomId: 1, cursor })
    expect(answer?.missed).toMatchObject([[4, expect.any(Number), 'message', { content: 'İki' }]])
    const { client: other } = await connectGuest('deniz')
    await other.request('joinRoom', { roomId: 1 })
    expect(await other.waitForEvent('loadRoomMessages')).toMatchObject({
      messages: [{ content: 'Bir' }, { content: 'İki' }],
    })
  })

  it('[LIVE-21] [LIVE-48] sends a command again on another connection: one effect, the same answer', async () => {
    const ada = await connectGuest('ada', 1)
    const can = await connectGuest('can', 1)
    const clientId = randomUUID()
    const first = await sendMessage(ada.client, 'bir kere', clientId)
    ada.client.terminate()
    const again = await connect()
    await again.hello(ada.token, { cursor: ada.client.cursor, roomId: 1 })
    expect(await sendMessage(again, 'bir kere', clientId)).toEqual(first)
    expect(await sendMessage(again, 'başka', clientId)).toEqual(first)
    await sendMessage(again, 'son')
    await can.client.waitForEvent('message', ({ content }) => content === 'Son')
    expect(can.client.receivedPayloads('message').map((message) => message.content)).toEqual(['Bir kere', 'Son'])
  })
})

describe('refusals that keep the connection open', () => {
  it('[LIVE-12] refuses another major version', async () => {
    const { token } = await loginAsGuest(site.origin, 'ada')
    const client = await connect()
    expect((await client.hello(token, { protocol: 2 })).refusal).toMatchObject({ code: 'ProtocolOutdated' })
    expect((await client.hello(token)).answer).toMatchObject({ user: { username: 'ada' } })
  })

  it('[LIVE-28] refuses an unknown name and an invalid input, with the path of the first wrong field', async () => {
    const { client } = await connectGuest('ada', 1)
    expect((await client.request('dropTables')).refusal).toMatchObject({ code: 'UnknownCommand' })
    expect((await client.request('joinRoom', { roomId: 'bir' })).refusal).toMatchObject({
      code: 'InvalidInput',
      path: 'roomId',
    })
    expect((await client.request('sendMessage', { roomId: 1 })).refusal).toMatchObject({ path: 'content' })
    expect((await client.request('getRooms')).answer).toHaveProperty('rooms')
  })
})

describe('the close codes', () => {
  it.each<[string, (client: ProtocolClient) => void]>([
    ['bytes that are no MessagePack', (client) => client.sendBytes(Uint8Array.of(0xc1))],
    ['a value of no shape', (client) => client.sendBytes(encodeMessagePack([9, 'getRooms', {}]))],
    ['a value that only the server sends', (client) => client.sendBytes(encodeMessagePack([2, 1, {}]))],
    ['half a value', (client) => client.sendBytes(encodeMessagePack([1, 5, 'getRooms', {}]).subarray(0, 9))],
    ['an empty frame', (client) => client.sendBytes(new Uint8Array())],
    ['a text frame', (client) => client.sendText('[1, 5, "getRooms", {}]')],
    ['20,000 arrays in arrays', (client) => client.sendBytes(new Uint8Array(20_000).fill(0x91))],
  ])('[LIVE-01] 4400 for %s, and a bystander notices nothing', async (_, misbehave) => {
    const { client } = await connectGuest('ada', 1)
    const bystander = await connectGuest('can', 1)
    misbehave(client)
    expect(await client.closed).toBe(4400)
    expect((await sendMessage(bystander.client, 'buradayım')).answer).toMatchObject({ success: true })
  })

  it('[LIVE-11] 4401 without a hello in time, in 5 seconds', async () => {
    const since = performance.now()
    const client = await connect()
    expect(await client.closed).toBe(4401)
    expect(performance.now() - since).toBeGreaterThan(4_900)
  })

  it('[LIVE-13] 4401 for a token that is not ours, has expired, or was revoked by a log-out', async () => {
    const { token } = await loginAsGuest(site.origin, 'ada')
    const [header, claims] = token.split('.')
    for (const forged of ['', 'a.b.c', `${header}.${claims}.AAAA`]) {
      const client = await connect()
      expect((await client.hello(forged)).refusal).toMatchObject({ code: 'SessionEnded' })
      expect(await client.closed).toBe(4401)
    }
    const client = await connect()
    await client.hello(token)
    const loggedOut = { method: 'POST', headers: { authorization: `Bearer ${token}`, origin: site.origin } }
    expect((await fetch(`${site.origin}/api/users/logout`, loggedOut)).status).toBe(200)
    expect(await client.closed).toBe(4401)
    const late = await connect()
    await late.hello(token)
    expect(await late.closed).toBe(4401)
    const { token: old } = await loginAsGuest(site.origin, 'can')
    site.region.clockOffset.aheadMs += 3_600_000
    const expired = await connect()
    expect((await expired.hello(old)).refusal).toMatchObject({ code: 'SessionEnded' })
    expect(await expired.closed).toBe(4401)
  })

  it('[LIVE-27] 4409 for a tab that came back on another connection', async () => {
    const { token } = await loginAsGuest(site.origin, 'ada')
    const [older, newer] = [await connect(), await connect()]
    await older.hello(token, { tabId: 'bir sekme' })
    await newer.hello(token, { tabId: 'bir sekme' })
    expect(await older.closed).toBe(4409)
    expect((await newer.request('getRooms')).answer).toHaveProperty('rooms')
  })

  it('[LIVE-23] 4413 for more than 64 KiB, 1009 for more than 128 KiB', async () => {
    const content = (bytes: number) =>
      encodeMessagePack([1, 9, 'sendMessage', { roomId: 1, content: 'x'.repeat(bytes) }])
    const large = await connectGuest('ada', 1)
    large.client.sendBytes(content(65_536))
    expect(await large.client.closed).toBe(4413)
    const huge = await connectGuest('can', 1)
    huge.client.sendBytes(content(131_072))
    expect(await huge.client.closed).toBe(1009)
  })

  it('[LIVE-24] 4429 for a client that goes on over the rate limit', async () => {
    const { client } = await connectGuest('ada')
    for (let at = 0; at < 500; at++) client.sendRequest('getRooms', {})
    expect(await client.closed).toBe(4429)
    expect(client.received.some(([kind, , body]) => kind === 3 && isRefusal(body, 'RateLimited'))).toBe(true)
  })

  it('[LIVE-26] 4503 for a shutdown, which is announced', async () => {
    const { client } = await connectGuest('ada', 1)
    const closing = site.region.close()
    expect(await client.waitForEvent('serverShutdown')).toEqual({ message: expect.stringMatching(/Sunucu/) })
    expect(await client.closed).toBe(4503)
    await closing
  })
})

describe('an upgrade', () => {
  const evil = (origin: string) => [
    'https://evil.example',
    'null',
    origin.replace('http', 'ftp'),
    `${origin}.evil.example`,
    `${origin}0`,
    `${origin}/`,
    origin.replace('127.0.0.1', 'localhost'),
  ]

  it('[LIVE-10] is refused with 403 where the Origin is another, null, a look-alike or absent', async () => {
    for (const origin of evil(site.origin)) {
      await expect(ProtocolClient.open(site.origin, origin), origin).rejects.toThrow('403')
    }
    await expect(ProtocolClient.open(site.origin, '')).rejects.toThrow('403')
    expect((await connectGuest('ada')).client.received).not.toEqual([])
  })
})

describe('a reader that never reads', () => {
  it('[LIVE-25] loses its connection while others go on', async () => {
    const root = await site.region.createRootAdmin('kurucu')
    const writer = await connect()
    await writer.hello(root.token)
    await writer.request('joinRoom', { roomId: 1 })
    for (let at = 0; at < 40; at++) await sendMessage(writer, 'ş'.repeat(2000))
    const { client: slowReader } = await connectGuest('sağır')
    const before = site.region.connections.size
    slowReader.stopReading()
    // Each answer brings 40 messages of 4 KB; the network takes some MB before anything waits in the server.
    for (let at = 0; at < 55; at++) slowReader.sendRequest('joinRoom', { roomId: 1 })
    await expect.poll(() => site.region.connections.size).toBe(before - 1)
    expect((await sendMessage(writer, 'devam')).answer).toMatchObject({ success: true })
  })
})

function isRefusal(body: ProtocolValue[number], code: string): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === code
}
