import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForWriting } from '../../kernel/database/open.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestRegion, sendHello, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { openGuestSession } from '../accounts/sign-in/open-guest-session.ts'

let site: TestRegion
let ada: TestUser
let can: TestUser
beforeEach(async () => {
  site = await openTestRegion()
  ada = await site.createGuest('ada')
  can = await site.createGuest('can')
})
afterEach(() => site.destroy())

describe('the live handlers of rooms', () => {
  it('[ROOM-01] seed Meydan as room 1 once, and keep it over a restart', async () => {
    await site.restart()
    const client = await site.connectAs(ada)
    expect(await client.request('joinRoom', { roomId: 1 })).toMatchObject({
      room: { id: 1, name: 'Meydan', isList: true, isActive: true, ownerId: null, expiryDate: null, activeUsers: 1 },
    })
  })

  it('[ROOM-03] getRooms sorts rooms by active users and counts each user once', async () => {
    const client = await site.connectAs(ada, 2)
    await site.connectAs(ada, 2)
    await site.connectAs(can, 2)
    const { rooms } = (await client.request('getRooms', {})) as { rooms: object[] }
    expect(rooms[0]).toEqual({ id: 2, name: 'Sohbet', activeUsers: 2 })
    expect(rooms[1]).toEqual({ id: 1, name: 'Meydan', activeUsers: 0 })
  })

  it('[ROOM-06] joinRoom refuses an unknown room and keeps the present one', async () => {
    const client = await site.connectAs(ada, 1)
    expect(await client.request('joinRoom', { roomId: 999 })).toMatchObject({
      code: 'RoomNotFound',
      message: 'Oda bulunamadı!',
    })
    expect(await client.request('getRoomUsers', { roomId: 1 })).toMatchObject({ roomId: 1 })
  })

  it('joinRoom is limited to 30 calls at once over all connections of a user, then one a second', async () => {
    stopClock()
    const answers = []
    for (let n = 0; n < 4; n++) {
      const client = await site.connectAs(ada)
      for (let call = 0; call < 10; call++) answers.push(await client.request('joinRoom', { roomId: 1 }))
    }
    expect(answers.slice(0, 30).every((answer) => 'room' in answer)).toBe(true)
    expect(answers.at(-1)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    const resumed = site.openConnection()
    expect(await sendHello(resumed, ada, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: false })
    expect(await (await site.connectAs(can)).request('joinRoom', { roomId: 1 })).toHaveProperty('room')
    site.clockOffset.aheadMs += 1_000
    expect(await (await site.connectAs(ada)).request('joinRoom', { roomId: 1 })).toHaveProperty('room')
  })

  it('[ROOM-07] [ROOM-11] joinRoom leaves the previous room, and each room gets only its own events', async () => {
    const staying = await site.connectAs(ada, 1)
    const moving = await site.connectAs(can, 1)
    await staying.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    await moving.request('joinRoom', { roomId: 2 })
    expect(await staying.waitForEvent('user-left')).toEqual({ roomId: 1, username: 'can' })
    await moving.waitForEvent('users-in-room', ({ roomId }) => roomId === 2)
    expect(moving.countEvents('user-left')).toBe(0)
    site.clockOffset.aheadMs += 11_000
    await staying.request('sendMessage', { roomId: 1, content: 'kimse var mı' })
    await staying.waitForEvent('message')
    expect(await moving.request('getRoomUsers', { roomId: 1 })).toMatchObject({ code: 'NotInRoom' })
    expect(moving.countEvents('message')).toBe(0)
  })

  it('[ROOM-08] joinRoom with a page’s cursor answers with the missed events, without gaps or duplicates', async () => {
    const speaker = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await speaker.request('sendMessage', { roomId: 1, content: 'sayfada' })
    const cursor = site.appContext.reader.cursor()
    await speaker.request('sendMessage', { roomId: 1, content: 'arada' })
    const client = await site.connectAs(can)
    const answer = await client.request('joinRoom', { roomId: 1, cursor })
    expect(answer).toMatchObject({ cursor: 2, missed: [[4, 2, 'message', { content: 'Arada' }]] })
    await speaker.request('sendMessage', { roomId: 1, content: 'sonra' })
    expect(await client.waitForEvent('message')).toMatchObject({ content: 'Sonra' })
    expect(client.countEvents('message')).toBe(1)
    expect(client.countEvents('loadRoomMessages')).toBe(0)
  })

  it('[ROOM-08] joinRoom without a usable cursor is followed by loadRoomMessages', async () => {
    const speaker = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await speaker.request('sendMessage', { roomId: 1, content: 'merhaba' })
    for (const cursor of [undefined, 77]) {
      const client = await site.connectAs(can)
      expect(await client.request('joinRoom', { roomId: 1, ...(cursor && { cursor }) })).not.toHaveProperty('missed')
      expect(await client.waitForEvent('loadRoomMessages')).toMatchObject({
        roomId: 1,
        messages: [{ content: 'Merhaba' }],
      })
    }
  })

  it('[ROOM-09] joinRoom refuses a full room, except to users who are in it', async () => {
    const inside = await site.connectAs(ada, 1)
    site.appContext.reader.cursor()
    fillRoom(1)
    const outside = await site.connectAs(can, 2)
    expect(await outside.request('joinRoom', { roomId: 1 })).toMatchObject({ code: 'RoomFull' })
    expect(await outside.request('getRoomUsers', { roomId: 2 })).toMatchObject({ roomId: 2 })
    expect(await inside.request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
    expect(await (await site.connectAs(ada)).request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
  })

  it('[ROOM-13] sends roomUserCountUpdate to connections that watch the counts, and to no others', async () => {
    const [watching, stopped, other] = [
      await site.connectAs(ada, 2),
      await site.connectAs(await site.createGuest('deniz'), 2),
      await site.connectAs(await site.createGuest('ece'), 2),
    ]
    for (const scope of ['all', 'none'] as const) await stopped.request('watchRoomCounts', { scope })
    expect(await watching.request('watchRoomCounts', { scope: 'busiest' })).toEqual({
      rooms: [{ roomId: 2, activeUsers: 3 }],
    })
    await site.connectAs(can, 1)
    const hasRoom = ({ rooms }: Record<string, unknown>) =>
      (rooms as { roomId: number }[]).some(({ roomId }) => roomId === 1)
    expect(await watching.waitForEvent('roomUserCountUpdate', hasRoom)).toMatchObject({
      rooms: expect.arrayContaining([{ roomId: 1, activeUsers: 1 }]),
    })
    for (const client of [stopped, other]) {
      await client.request('getRooms', {})
      expect(client.countEvents('roomUserCountUpdate')).toBe(0)
    }
  })

  it('[ROOM-14] [PRES-02] [PRES-03] [PRES-07] root admins get the user list, others a count and the names for mentions', async () => {
    const root = await site.connectAs(await site.createRootAdmin('kök'), 1)
    const visitor = await site.connectAs(ada, 1)
    expect(await root.waitForEvent('activeUsers')).toMatchObject({
      count: expect.any(Number),
      users: expect.any(Array),
    })
    expect(
      await root.waitForEvent('userJoined', ({ user }) => (user as { username: string }).username === 'ada'),
    ).toBeTruthy()
    expect(await visitor.waitForEvent('activeUsersForMention')).toMatchObject({ roomId: 1 })
    await visitor.waitForEvent('activeUsersCount', ({ count }) => count === 2)
    visitor.disconnect()
    expect(await root.waitForEvent('userLeft')).toEqual({ username: 'ada' })
    expect([root.countEvents('activeUsersCount'), root.countEvents('activeUsersForMention')]).toEqual([0, 0])
    expect([
      visitor.countEvents('activeUsers'),
      visitor.countEvents('userJoined'),
      visitor.countEvents('userLeft'),
    ]).toEqual([0, 0, 0])
  })

  it('[PRES-06] userStatusChanged goes only to the room of a user who goes offline or returns', async () => {
    const [roomMember, elsewhere] = [
      await site.connectAs(ada, 1),
      await site.connectAs(await site.createGuest('deniz'), 2),
    ]
    const leaving = await site.connectAs(can, 1)
    await roomMember.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    leaving.disconnect()
    expect(await roomMember.waitForEvent('userStatusChanged')).toEqual({ username: 'can', isOnline: false })
    expect(elsewhere.countEvents('userStatusChanged')).toBe(0)
    const returning = site.openConnection()
    await sendHello(returning, can, { cursor: 0, roomId: 1 })
    expect(await roomMember.waitForEvent('userStatusChanged', ({ isOnline }) => isOnline === true)).toEqual({
      username: 'can',
      isOnline: true,
    })
    expect(roomMember.countEvents('user-left')).toBe(0)
  })

  it('[PRES-11] userUpdated goes once to those who see the user, and to nobody else', async () => {
    const roomMember = await site.connectAs(await site.createRootAdmin('kök'), 1)
    const [elsewhere, outside] = [
      await site.connectAs(ada, 2),
      await site.connectAs(await site.createRootAdmin('uzak'), 2),
    ]
    const isCan = ({ user }: Record<string, unknown>) => (user as { username: string }).username === 'can'
    await site.connectAs(can, 1)
    await roomMember.waitForEvent('user-joined', isCan)
    await outside.waitForEvent('userJoined', isCan)
    runSql('update user set lastLoginPlatform = ? where username = ?', 'mobile', 'can')
    await site.connectAs(can, 1)
    const updated = { user: { username: 'can', lastLoginPlatform: 'mobile', isOnline: true } }
    expect(await roomMember.waitForEvent('userUpdated')).toMatchObject(updated)
    expect(await outside.waitForEvent('userUpdated')).toMatchObject(updated)
    await site.connectAs(await site.createGuest('sonra'), 1)
    await roomMember.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'sonra')
    expect([roomMember, outside, elsewhere].map((client) => client.countEvents('userUpdated'))).toEqual([1, 1, 0])
  })

  it('[PRES-22] a changed summary sends userProfileUpdated to everyone and userUpdated to the user’s room', async () => {
    const [roomMember, elsewhere] = [
      await site.connectAs(await site.createGuest('ece'), 1),
      await site.connectAs(ada, 2),
    ]
    await site.connectAs(can, 1)
    await roomMember.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    const input = { username: 'can', gender: 'male', platform: 'web' } as const
    await site.appContext.execute(openGuestSession, can, input)
    for (const client of [roomMember, elsewhere]) {
      expect(await client.waitForEvent('userProfileUpdated')).toMatchObject({
        user: { id: can.userId, gender: 'male' },
      })
    }
    expect(await roomMember.waitForEvent('userUpdated')).toMatchObject({
      user: { username: 'can', gender: 'male', isOnline: true },
    })
    expect(site.appContext.presence.listRoom(1, null).find(({ id }) => id === can.userId)).toMatchObject({
      gender: 'male',
    })
    expect(elsewhere.countEvents('userUpdated')).toBe(0)
    // Without a change there is no event.
    await site.appContext.execute(openGuestSession, can, input)
    await site.appContext.execute(openGuestSession, ada, { ...input, username: 'ada' })
    await roomMember.waitForEvent('userProfileUpdated', ({ user }) => (user as { id: number }).id === ada.userId)
    expect(roomMember.countEvents('userProfileUpdated')).toBe(2)
  })

  it('[PRES-12] getRoomUsers finds users by part of their name, and [PRES-13] by gender if the viewer may filter', async () => {
    const [guest, root] = [await site.connectAs(ada, 1), await site.connectAs(await site.createRootAdmin('kök'), 1)]
    runSql("update user set gender = 'female' where username = ?", 'can')
    await site.connectAs(can, 1)
    await guest.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    const found = { roomId: 1, total: 1, users: [{ username: 'can' }] }
    expect(await guest.request('getRoomUsers', { roomId: 1, search: 'AN' })).toMatchObject(found)
    expect(await root.request('getRoomUsers', { roomId: 1, gender: 'female' })).toMatchObject(found)
    for (const search of [undefined, 'can']) {
      expect(await guest.request('getRoomUsers', { roomId: 1, gender: 'female', search })).toEqual({
        code: 'Forbidden',
        message: "Cinsiyet filtreleme yalnızca Premium'lara özel!",
      })
    }
  })

  it('a connection without a hello receives nothing', async () => {
    const outsider = site.openConnection()
    const client = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await client.request('sendMessage', { roomId: 1, content: 'gizli' })
    await client.waitForEvent('message')
    expect(outsider.transport.received).toEqual([])
  })
})

/** Sets the room's capacity to 1. */
function fillRoom(roomId: number): void {
  runSql('update room set capacity = 1 where id = ?', roomId)
}

/** Changes rows for which there is no command yet. */
function runSql(sql: string, ...values: (string | number)[]): void {
  const db = openForWriting(site.appContext.config.databaseFile)
  db.prepare(sql).run(...values)
  db.close()
}
