import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encode } from '../../../shared/protocol/frame.ts'
import { refusals } from '../../../shared/protocol/refusals.ts'
import { PROTOCOL_MAJOR } from '../../../shared/protocol/version.ts'
import {
  openTestRegion,
  sendHello,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../../testing/fixtures/test-region.ts'

let site: TestRegion
let ada: TestUser
let can: TestUser
let client: TestClient
beforeEach(async () => {
  site = await openTestRegion()
  ada = await site.createGuest('ada')
  can = await site.createGuest('can')
  client = await site.connectAs(ada, 1)
})
afterEach(async () => {
  vi.useRealTimers()
  await site.destroy()
})

/** Sends a request that the types do not allow. */
const raw = (name: string, payload: unknown) => client.request(name as 'getRooms', payload as object)

describe('a connection', () => {
  it('[LIVE-01] is closed with 4400 for an invalid frame', () => {
    client.sendBytes(Uint8Array.of(0xc1))
    expect(client.transport.closeCode).toBe(4400)
  })

  it('[LIVE-02] gets one answer per request, under its id, and none for a signal', async () => {
    client.sendBytes(encode([0, 'getRooms', {}]))
    await Promise.all([raw('getRooms', {}), raw('getRooms', null), raw('nothing', {})])
    const answered = client.transport.received.filter(([kind]) => kind === 2 || kind === 3).map((value) => value[1])
    expect(answered.toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  it('[LIVE-04] [LIVE-28] gets a code, a Turkish message and the wrong field for an unknown name or invalid input', async () => {
    expect(await raw('toString', {})).toEqual({ code: 'UnknownCommand', message: refusals.UnknownCommand.message })
    expect(await raw('sendMessage', { roomId: 1, content: 7 })).toMatchObject({ code: 'InvalidInput', path: 'content' })
    expect(await raw('sendMessage', { roomId: '1', content: 7 })).toMatchObject({ path: 'roomId' })
    expect(client.transport.closeCode).toBeNull()
  })

  it('[LIVE-07] [CHAT-12] acts only as the user of its session', async () => {
    site.clockOffset.aheadMs += 11_000
    const message = { roomId: 1, content: 'merhaba' }
    for (const username of ['can', 'Ada', 'ada ']) {
      expect(await raw('sendMessage', { ...message, username })).toMatchObject({ code: 'ActorMismatch' })
    }
    for (const user of [can.userId, { id: can.userId }, { username: 'can' }, ['ada']]) {
      expect(await raw('userConnected', { user })).toMatchObject({ code: 'ActorMismatch' })
    }
    expect(await raw('sendMessage', { ...message, username: 'ada' })).toMatchObject({ success: true })
    expect(await raw('userConnected', { user: { id: ada.userId, username: 'ada' } })).toEqual({ success: true })
  })

  it('[LIVE-23] is closed with 4413 for a frame over 64 KiB', async () => {
    client.sendBytes(encode([1, 7, 'sendMessage', { roomId: 1, content: 'x'.repeat(65_000) }]))
    expect(client.transport.closeCode).toBeNull()
    client.sendBytes(encode([1, 8, 'sendMessage', { roomId: 1, content: 'x'.repeat(65_536) }]))
    expect(client.transport.closeCode).toBe(4413)
  })

  it('[LIVE-24] is refused when it sends too fast, and closed with 4429 when it goes on', async () => {
    const bystander = await site.connectAs(can, 1)
    const flood = (count: number) => {
      for (let id = 100; id < 100 + count; id++) client.sendBytes(encode([1, id, 'getRooms', {}]))
    }
    flood(100)
    const refused = await client.transport.waitForValue((value) => value[0] === 3)
    expect(refused[2]).toEqual({ code: 'RateLimited', message: refusals.RateLimited.message })
    expect(client.transport.closeCode).toBeNull()
    flood(400)
    await expect(client.transport.waitForValue(() => false)).rejects.toThrow('closed with 4429')
    expect(await bystander.request('getRooms', {})).toHaveProperty('rooms')
  })

  it('[LIVE-45] is refused when the connections of its address send too fast together, and others are not', async () => {
    const crowd = Array.from({ length: 60 }, () => site.openConnection('192.0.2.1'))
    const bystander = await site.connectAs(can, 1, '192.0.2.2')
    for (const each of crowd) for (let id = 0; id < 50; id++) each.sendBytes(encode([1, id, 'getRooms', {}]))
    // Each is within its own limit of 60.
    const refused = (received: unknown[]) => received.filter((value) => JSON.stringify(value).includes('RateLimited'))
    await expect.poll(() => crowd.flatMap(({ transport }) => refused(transport.received)).length).toBeGreaterThan(100)
    expect(await bystander.request('getRooms', {})).toHaveProperty('rooms')
    site.clockOffset.aheadMs += 1_000
    expect(await site.openConnection('192.0.2.1').request('getRooms', {})).toMatchObject({ code: 'NotSignedIn' })
  })

  it('[LIVE-44] is refused with Busy while 128 of its commands wait, until they are answered', async () => {
    const flooder = await site.connectAs(can)
    const waiting: (() => void)[] = []
    vi.spyOn(site.appContext.handlers(), 'getRooms').mockImplementation(
      () => new Promise((resolve) => waiting.push(() => resolve({ rooms: [] }))),
    )
    const answers = []
    for (let sent = 0; sent < 128; sent++) {
      site.clockOffset.aheadMs += 50
      answers.push(flooder.request('getRooms', {}))
    }
    expect(await flooder.request('getRooms', {})).toEqual({ code: 'Busy', message: refusals.Busy.message })
    for (const answer of waiting) answer()
    await Promise.all(answers)
    vi.restoreAllMocks()
    expect(await flooder.request('getRooms', {})).toHaveProperty('rooms')
  })

  it.each([true, false])('[LIVE-24] is closed with 4429 for a flood of hellos, open or not (%s)', async (isOpen) => {
    const flooder = isOpen ? client : site.openConnection()
    for (let id = 100; id < 400; id++) {
      flooder.sendBytes(encode([0, 'hello', {}]))
      await Promise.resolve() // else a handshake under way ends the connection for another reason
    }
    await expect(flooder.request('getRooms', {})).rejects.toThrow('closed with 4429')
  })

  it('[LIVE-11] is opened by a hello after a userConnected in the same frame, which is refused', async () => {
    const early = site.openConnection()
    const hello = { protocol: PROTOCOL_MAJOR, token: can.token, browserId: 'b', platform: 'web' }
    early.sendBytes(Buffer.concat([encode([1, 1, 'userConnected', {}]), encode([1, 2, 'hello', hello])]))
    const refusal = await early.transport.waitForValue(([kind, of]) => kind === 3 && of === 1)
    expect(refusal[2]).toMatchObject({ code: 'NotSignedIn' })
    const answer = await early.transport.waitForValue(([kind, of]) => (kind === 2 || kind === 3) && of === 2)
    expect(answer[2]).toHaveProperty('cursor')
  })

  it('[LIVE-11] may send 64 values before hello is answered, which are handled after it, and is closed for one more', async () => {
    const sendEarly = (count: number) => {
      const early = site.openConnection()
      const hello = encode([
        1,
        0,
        'hello',
        { protocol: PROTOCOL_MAJOR, token: can.token, browserId: 'b', platform: 'web' },
      ])
      const values = Array.from({ length: count }, (_, index) => encode([1, index + 1, 'getRooms', {}]))
      early.sendBytes(Buffer.concat([hello, ...values]))
      return early
    }
    expect(sendEarly(65).transport.closeCode).toBe(4429)
    const early = sendEarly(64)
    for (let id = 0; id <= 64; id++)
      await early.transport.waitForValue(([kind, of]) => (kind === 2 || kind === 3) && of === id)
    const answered = early.transport.received.filter(([kind]) => kind === 2 || kind === 3).map((value) => value[1])
    expect(answered[0]).toBe(0)
    expect(answered).toHaveLength(65)
    expect(early.transport.closeCode).toBeNull()
  })

  it('[LIVE-04] is refused with Busy when the database is locked, and with Failed for a bug', async () => {
    const failWith = (error: Error) =>
      vi.spyOn(site.appContext.reader, 'all').mockImplementationOnce(() => {
        throw error
      })
    failWith(new Sqlite.SqliteError('locked', 'SQLITE_BUSY_RECOVERY'))
    expect(await raw('getRooms', {})).toMatchObject({ code: 'Busy' })
    failWith(new Error('a bug with /secret/paths'))
    expect(await raw('getRooms', {})).toEqual({ code: 'Failed', message: refusals.Failed.message })
    expect(await raw('getRooms', {})).toHaveProperty('rooms')
  })

  it('[LIVE-26] receives serverShutdown, is refused new commands, and is closed with 4503', async () => {
    site.clockOffset.aheadMs += 11_000
    const lastWords = raw('sendMessage', { roomId: 1, content: 'son söz' })
    const closed = site.close()
    expect(await raw('getRooms', {})).toMatchObject({ code: 'ShuttingDown' })
    await closed
    expect(await lastWords).toMatchObject({ success: true })
    expect(await client.waitForEvent('serverShutdown')).toHaveProperty('message')
    expect(client.transport.closeCode).toBe(4503)
    await site.restart()
  })

  it('closes the oldest when a user opens more than sixteen', async () => {
    const clients = []
    for (let n = 0; n < 17; n++) clients.push(await site.connectAs(ada))
    expect(clients.map(({ transport }) => transport.closeCode)).toEqual([4409, ...Array(16).fill(null)])
  })

  it('[LIVE-27] [ACC-23] replaces the older one of the same tab silently, and the user does not leave the room', async () => {
    const bystander = await site.connectAs(can, 1)
    const older = site.openConnection()
    await sendHello(older, ada, { tabId: 'tab' })
    await older.request('joinRoom', { roomId: 1 })
    const newer = site.openConnection()
    await sendHello(newer, ada, { tabId: 'tab' })
    expect(older.transport.closeCode).toBe(4409)
    expect(older.countEvents('forceDisconnect')).toBe(0)
    expect(newer.countEvents('duplicateConnection')).toBe(0)
    expect(bystander.countEvents('user-left')).toBe(0)
  })

  it('[ACC-24] of another browser is notified of the older one only if that one answers within a second', async () => {
    const dead = await site.connectAs(can)
    const second = site.openConnection()
    await sendHello(second, can)
    expect(dead.transport.pingCount).toBe(1)
    site.clockOffset.aheadMs += 1_500
    dead.pong()
    const third = site.openConnection()
    await sendHello(third, can)
    second.pong()
    await third.waitForEvent('duplicateConnection')
    expect(second.countEvents('duplicateConnection')).toBe(0)
    second.disconnect()
    dead.disconnect()
    expect(await third.waitForEvent('duplicateConnectionResolved')).toEqual({})
  })

  it('[LIVE-27] [ACC-25] closes the older ones of the same user when it confirms, and no others', async () => {
    const bystander = await site.connectAs(can, 1)
    const newer = site.openConnection()
    await sendHello(newer, ada)
    expect(await newer.request('confirmDuplicateConnection', { action: 'disconnect_old' })).toEqual({ success: true })
    await client.waitForEvent('forceDisconnect')
    expect(client.transport.closeCode).toBe(4409)
    expect(newer.transport.closeCode).toBeNull()
    expect(bystander.transport.closeCode).toBeNull()
  })
})
