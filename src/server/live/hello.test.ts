import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encode } from '../../shared/protocol/frame.ts'
import { hello, openTestWorld, type TestPerson, type TestWorld } from '../testing/world.ts'

let site: TestWorld
let ada: TestPerson
let can: TestPerson
beforeEach(async () => {
  site = await openTestWorld()
  ada = await site.enter('ada')
  can = await site.enter('can')
})
afterEach(() => site.end())

const WAIT_OVER_MS = 11_000

/** Two people in room 1 who may speak. */
async function bothInRoom() {
  const [first, second] = [await site.join(ada, 1), await site.join(can, 1)]
  site.clock.aheadMs += WAIT_OVER_MS
  return [first, second] as const
}

describe('hello', () => {
  it('[LIVE-14] answers who, the cursor, whether it resumed, and the time; userConnected and adminConnected do nothing', async () => {
    const client = site.connect()
    const answer = await hello(client, ada)
    expect(answer).toEqual({
      user: expect.objectContaining({
        id: ada.userId,
        username: 'ada',
        isGuest: true,
        isOnline: true,
        avatarUrl: null,
      }),
      cursor: 0,
      resumed: false,
      serverTime: expect.any(Number),
    })
    expect(await client.request('userConnected', { user: { username: 'ada' } })).toEqual({ success: true })
    expect(await client.request('adminConnected', {})).toEqual({ success: true })
  })

  it('[LIVE-12] refuses a missing browser id and another major version', async () => {
    const client = site.connect()
    expect(await hello(client, ada, { protocol: 2 })).toMatchObject({ code: 'ProtocolOutdated' })
    expect(client.line.closedWith).toBeNull()
    expect(await hello(client, ada, { browserId: undefined })).toMatchObject({ code: 'BrowserIdMissing' })
    expect(client.line.closedWith).toBe(4401)
  })

  it('[LIVE-13] closes with 4401 for a token that is not ours, has expired, or whose session is over', async () => {
    for (const token of ['nonsense', `${ada.token}x`]) {
      const client = site.connect()
      expect(await hello(client, { ...ada, token })).toMatchObject({ code: 'SessionEnded' })
      expect(client.line.closedWith).toBe(4401)
    }
    await site.appContext.execute('endSession', can, {})
    const revoked = site.connect()
    await hello(revoked, can)
    expect(revoked.line.closedWith).toBe(4401)
    site.clock.aheadMs += 61 * 60_000
    const late = site.connect()
    await hello(late, ada)
    expect(late.line.closedWith).toBe(4401)
  })

  it('[LIVE-11] lets nothing happen before it, and may come later in the same frame', async () => {
    const client = site.connect()
    expect(await client.request('joinRoom', { roomId: 1 })).toMatchObject({ code: 'NotSignedIn' })
    const early = site.connect()
    const [greeting, joining] = [hello(early, ada), early.request('joinRoom', { roomId: 1 })]
    expect(await greeting).toMatchObject({ resumed: false })
    expect(await joining).toMatchObject({ room: { id: 1 } })
  })

  it('refuses a second hello and goes on', async () => {
    const client = await site.join(ada, 1)
    expect(await hello(client, can)).toMatchObject({ code: 'InvalidInput' })
    expect(await client.request('getRooms', {})).toHaveProperty('rooms')
  })

  it('[LIVE-15] brings everything missed, of the own streams and the room, in order and before anything newer', async () => {
    const [first, second] = await bothInRoom()
    await first.request('sendMessage', { roomId: 1, content: 'görüldü' })
    const seen = await second.heard('message')
    second.cut()
    for (const content of ['bir', 'iki', 'üç']) await first.request('sendMessage', { roomId: 1, content })
    const again = site.connect()
    const answer = await hello(again, can, { cursor: 1, roomId: 1 })
    expect(answer).toMatchObject({ resumed: true, cursor: 4 })
    await again.heard('message', ({ content }) => content === 'Üç')
    const kept = again.line.received.filter(([kind]) => kind === 4)
    expect(kept.map((value) => value[1])).toEqual([2, 3, 4])
    expect(kept.map((value) => (value[3] as { content: string }).content)).toEqual(['Bir', 'İki', 'Üç'])
    expect(seen).toMatchObject({ content: 'Görüldü' })
  })

  it('[LIVE-16] does not resume from the future or beyond what it keeps', async () => {
    expect(await hello(site.connect(), ada, { cursor: 99 })).toMatchObject({ resumed: false, cursor: 0 })
  })

  it('[LIVE-17] takes a resume for no join: the wait is not started over, also after a restart of the server', async () => {
    const [, second] = await bothInRoom()
    second.cut()
    const again = site.connect()
    await hello(again, can, { cursor: 0, roomId: 1 })
    expect(await again.request('sendMessage', { roomId: 1, content: 'buradayım' })).toMatchObject({ success: true })
    await site.restart()
    const later = site.connect()
    await hello(later, can, { cursor: 1, roomId: 1 })
    expect(await later.request('sendMessage', { roomId: 1, content: 'hâlâ' })).toMatchObject({ success: true })
  })

  it('[LIVE-17] does not let a made-up resume skip the wait', async () => {
    site.clock.aheadMs += 5 * 60_000
    const client = site.connect()
    await hello(client, can, { cursor: 0, roomId: 1 })
    expect(await client.request('sendMessage', { roomId: 1, content: 'hemen' })).toMatchObject({ code: 'JustJoined' })
  })

  it('[LIVE-17] does not skip the wait of a room that the person has left for another', async () => {
    const client = await site.join(can, 1)
    site.clock.aheadMs += 5 * 60_000
    await client.request('joinRoom', { roomId: 2 })
    client.cut()
    const again = site.connect()
    expect(await hello(again, can, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: true, roomId: 1 })
    expect(await again.request('sendMessage', { roomId: 1, content: 'hemen' })).toMatchObject({ code: 'JustJoined' })
  })

  it.each([
    ['back', -1],
    ['forward', 1],
  ])('[REG-38] measures the wait by what passed, though the clock was set %s by an hour', async (_, hours) => {
    const [first, second] = [await site.join(ada, 1), await site.join(can, 1)]
    site.clock.aheadMs += WAIT_OVER_MS
    await second.request('joinRoom', { roomId: 2 })
    site.clock.setByMs = hours * 60 * 60_000
    expect(await first.request('sendMessage', { roomId: 1, content: 'hâlâ buradayım' })).toMatchObject({
      success: true,
    })
    expect(await second.request('sendMessage', { roomId: 2, content: 'x' })).toMatchObject({ code: 'JustJoined' })
  })

  it('[LIVE-17] does not reach a room that is not there', async () => {
    const client = site.connect()
    const answer = await hello(client, can, { cursor: 0, roomId: 999 })
    expect(answer).toMatchObject({ resumed: true })
    expect(answer).not.toHaveProperty('roomId')
    expect(await client.request('sendMessage', { roomId: 999, content: 'x' })).toMatchObject({ code: 'RoomNotFound' })
  })

  it('[PRES-09] gives a fresh snapshot of presence after a resume', async () => {
    await bothInRoom()
    const again = site.connect()
    expect(await hello(again, can, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: true, roomId: 1 })
    expect(await again.heard('users-in-room')).toMatchObject({ roomId: 1, total: 2 })
  })

  it('ends every connection of a session that ends, and of no other', async () => {
    const phone = await site.join(ada, 1)
    const laptop = await site.join(ada, 1)
    const bystander = await site.join(can, 1)
    await site.appContext.execute('endSession', ada, {})
    expect(await phone.heard('forceDisconnect')).toHaveProperty('message')
    await laptop.heard('forceDisconnect')
    expect([phone.line.closedWith, laptop.line.closedWith]).toEqual([4401, 4401])
    expect(bystander.line.closedWith).toBeNull()
    expect(bystander.count('forceDisconnect')).toBe(0)
    phone.sendBytes(encode([1, 99, 'joinRoom', { roomId: 1 }]))
    expect(phone.line.received.at(-1)?.[1]).not.toBe(99)
  })
})
