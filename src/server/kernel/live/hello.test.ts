import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encode } from '../../../shared/protocol/frame.ts'
import { endSession } from '../../features/accounts/sessions/end-session.ts'
import { openTestRegion, sendHello, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'

let site: TestRegion
let ada: TestUser
let can: TestUser
beforeEach(async () => {
  site = await openTestRegion()
  ada = await site.createGuest('ada')
  can = await site.createGuest('can')
})
afterEach(() => site.destroy())

const WAIT_OVER_MS = 11_000

/** Two users in room 1 whose wait before the first message is over. */
async function bothInRoom() {
  const [first, second] = [await site.connectAs(ada, 1), await site.connectAs(can, 1)]
  site.clockOffset.aheadMs += WAIT_OVER_MS
  return [first, second] as const
}

describe('hello', () => {
  it('[LIVE-14] answers with the user, the cursor, whether it resumed and the time; userConnected and adminConnected do nothing', async () => {
    const client = site.openConnection()
    const answer = await sendHello(client, ada)
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

  it('[LIVE-12] is refused without a browser id and with another major version', async () => {
    const client = site.openConnection()
    expect(await sendHello(client, ada, { protocol: 2 })).toMatchObject({ code: 'ProtocolOutdated' })
    expect(client.transport.closeCode).toBeNull()
    expect(await sendHello(client, ada, { browserId: undefined })).toMatchObject({ code: 'BrowserIdMissing' })
    expect(client.transport.closeCode).toBe(4401)
  })

  it('[LIVE-13] closes with 4401 for a forged or expired token and for an ended session', async () => {
    for (const token of ['nonsense', `${ada.token}x`]) {
      const client = site.openConnection()
      expect(await sendHello(client, { ...ada, token })).toMatchObject({ code: 'SessionEnded' })
      expect(client.transport.closeCode).toBe(4401)
    }
    await site.appContext.execute(endSession, can, {})
    const revoked = site.openConnection()
    await sendHello(revoked, can)
    expect(revoked.transport.closeCode).toBe(4401)
    site.clockOffset.aheadMs += 61 * 60_000
    const late = site.openConnection()
    await sendHello(late, ada)
    expect(late.transport.closeCode).toBe(4401)
  })

  it('[LIVE-11] must come before other commands, and may share a frame with them', async () => {
    const client = site.openConnection()
    expect(await client.request('joinRoom', { roomId: 1 })).toMatchObject({ code: 'NotSignedIn' })
    const early = site.openConnection()
    const [greeting, joining] = [sendHello(early, ada), early.request('joinRoom', { roomId: 1 })]
    expect(await greeting).toMatchObject({ resumed: false })
    expect(await joining).toMatchObject({ room: { id: 1 } })
  })

  it('is refused on an open connection, which stays open', async () => {
    const client = await site.connectAs(ada, 1)
    expect(await sendHello(client, can)).toMatchObject({ code: 'InvalidInput' })
    expect(await client.request('getRooms', {})).toHaveProperty('rooms')
  })

  it('[LIVE-15] replays all missed events of the user streams and the room, in order and before newer ones', async () => {
    const [first, second] = await bothInRoom()
    await first.request('sendMessage', { roomId: 1, content: 'görüldü' })
    const seen = await second.waitForEvent('message')
    second.disconnect()
    for (const content of ['bir', 'iki', 'üç']) await first.request('sendMessage', { roomId: 1, content })
    const again = site.openConnection()
    const answer = await sendHello(again, can, { cursor: 1, roomId: 1 })
    expect(answer).toMatchObject({ resumed: true, cursor: 4 })
    await again.waitForEvent('message', ({ content }) => content === 'Üç')
    const keptEvents = again.transport.received.filter(([kind]) => kind === 4)
    expect(keptEvents.map((value) => value[1])).toEqual([2, 3, 4])
    expect(keptEvents.map((value) => (value[3] as { content: string }).content)).toEqual(['Bir', 'İki', 'Üç'])
    expect(seen).toMatchObject({ content: 'Görüldü' })
  })

  it('[LIVE-16] does not resume from a cursor that is ahead of the log or no longer kept', async () => {
    expect(await sendHello(site.openConnection(), ada, { cursor: 99 })).toMatchObject({ resumed: false, cursor: 0 })
  })

  it.each([
    ['has no cursor', undefined],
    ['has a cursor ahead of the log', 99],
  ])('[LIVE-16] enters no room and sends none of its events when the client %s', async (_, cursor) => {
    const [first] = await bothInRoom()
    const again = site.openConnection()
    const answer = await sendHello(again, can, { cursor, roomId: 1 })
    expect(answer).toMatchObject({ resumed: false })
    expect(answer).not.toHaveProperty('roomId')
    expect(await first.request('sendMessage', { roomId: 1, content: 'duyulmaz' })).toMatchObject({ success: true })
    await first.waitForEvent('message')
    expect(await again.request('getRooms', {})).toHaveProperty('rooms')
    expect(again.countEvents('message')).toBe(0)
  })

  it('[LIVE-17] does not restart the join wait on a resume, also after a restart of the server', async () => {
    const [, second] = await bothInRoom()
    second.disconnect()
    const again = site.openConnection()
    await sendHello(again, can, { cursor: 0, roomId: 1 })
    expect(await again.request('sendMessage', { roomId: 1, content: 'buradayım' })).toMatchObject({ success: true })
    await site.restart()
    const later = site.openConnection()
    await sendHello(later, can, { cursor: 1, roomId: 1 })
    expect(await later.request('sendMessage', { roomId: 1, content: 'hâlâ' })).toMatchObject({ success: true })
  })

  it('[LIVE-17] does not skip the join wait for a forged resume', async () => {
    site.clockOffset.aheadMs += 5 * 60_000
    const client = site.openConnection()
    await sendHello(client, can, { cursor: 0, roomId: 1 })
    expect(await client.request('sendMessage', { roomId: 1, content: 'hemen' })).toMatchObject({ code: 'JustJoined' })
  })

  it('[CHAT-05] MEYDAN_JOIN_WAIT_MS shortens the join wait, for the server and for what it tells the client', async () => {
    const quick = await openTestRegion({ MEYDAN_JOIN_WAIT_MS: '0' })
    const slower = await openTestRegion({ MEYDAN_JOIN_WAIT_MS: '9000' })
    try {
      const [first, second] = [await quick.connectAs(await quick.createGuest('Hızlı')), slower.openConnection()]
      await sendHello(second, await slower.createGuest('Yavaş'))
      const sent = { roomId: 1, content: 'hemen' }
      const joined = { inRoomForMs: expect.toSatisfy((ms: number) => ms >= 10_000) }
      expect(await first.request('joinRoom', { roomId: 1 })).toMatchObject(joined)
      expect(await first.request('sendMessage', sent)).toMatchObject({ success: true })
      const expectedState = { inRoomForMs: expect.toSatisfy((ms: number) => ms >= 1_000 && ms < 10_000) }
      expect(await second.request('joinRoom', { roomId: 1 })).toMatchObject(expectedState)
      expect(await second.request('sendMessage', sent)).toMatchObject({ code: 'JustJoined' })
      slower.clockOffset.aheadMs += 9_000
      expect(await second.request('sendMessage', sent)).toMatchObject({ success: true })
    } finally {
      await Promise.all([quick.destroy(), slower.destroy()])
    }
  })

  it('[LIVE-17] does not skip the join wait of a room that the user has left for another', async () => {
    const client = await site.connectAs(can, 1)
    site.clockOffset.aheadMs += 5 * 60_000
    await client.request('joinRoom', { roomId: 2 })
    client.disconnect()
    const again = site.openConnection()
    expect(await sendHello(again, can, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: true, roomId: 1 })
    expect(await again.request('sendMessage', { roomId: 1, content: 'hemen' })).toMatchObject({ code: 'JustJoined' })
  })

  it.each([
    ['back', -1],
    ['forward', 1],
  ])('[REG-38] measures the join wait by elapsed time when the clock is set %s by an hour', async (_, hours) => {
    const [first, second] = [await site.connectAs(ada, 1), await site.connectAs(can, 1)]
    site.clockOffset.aheadMs += WAIT_OVER_MS
    await second.request('joinRoom', { roomId: 2 })
    site.clockOffset.setByMs = hours * 60 * 60_000
    expect(await first.request('sendMessage', { roomId: 1, content: 'hâlâ buradayım' })).toMatchObject({
      success: true,
    })
    expect(await second.request('sendMessage', { roomId: 2, content: 'x' })).toMatchObject({ code: 'JustJoined' })
  })

  it('[LIVE-17] resumes without a room that does not exist', async () => {
    const client = site.openConnection()
    const answer = await sendHello(client, can, { cursor: 0, roomId: 999 })
    expect(answer).toMatchObject({ resumed: true })
    expect(answer).not.toHaveProperty('roomId')
    expect(await client.request('sendMessage', { roomId: 999, content: 'x' })).toMatchObject({ code: 'RoomNotFound' })
  })

  it('[PRES-09] sends a new presence snapshot after a resume', async () => {
    await bothInRoom()
    const again = site.openConnection()
    expect(await sendHello(again, can, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: true, roomId: 1 })
    expect(await again.waitForEvent('users-in-room')).toMatchObject({ roomId: 1, total: 2 })
  })

  it('closes every connection of an ended session, and no others', async () => {
    const phone = await site.connectAs(ada, 1)
    const laptop = await site.connectAs(ada, 1)
    const bystander = await site.connectAs(can, 1)
    await site.appContext.execute(endSession, ada, {})
    expect(await phone.waitForEvent('forceDisconnect')).toHaveProperty('message')
    await laptop.waitForEvent('forceDisconnect')
    expect([phone.transport.closeCode, laptop.transport.closeCode]).toEqual([4401, 4401])
    expect(bystander.transport.closeCode).toBeNull()
    expect(bystander.countEvents('forceDisconnect')).toBe(0)
    phone.sendBytes(encode([1, 99, 'joinRoom', { roomId: 1 }]))
    expect(phone.transport.received.at(-1)?.[1]).not.toBe(99)
  })
})
