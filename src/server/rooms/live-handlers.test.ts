import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openGuestSession } from '../accounts/sign-in/open-guest-session.ts'
import { openForWriting } from '../database/open.ts'
import { openTestRegion, sendHello, type TestRegion, type TestUser } from '../testing/fixtures/test-region.ts'

let site: TestRegion
let ada: TestUser
let can: TestUser
beforeEach(async () => {
  site = await openTestRegion()
  ada = await site.createGuest('ada')
  can = await site.createGuest('can')
})
afterEach(() => site.destroy())

describe('rooms', () => {
  it('[ROOM-01] room 1 is Meydan, from the first start and after a second one', async () => {
    await site.restart()
    const client = await site.connectAs(ada)
    expect(await client.request('joinRoom', { roomId: 1 })).toMatchObject({
      room: { id: 1, name: 'Meydan', isList: true, isActive: true, ownerId: null, expiryDate: null, activeUsers: 1 },
    })
  })

  it('[ROOM-03] getRooms lists the liveliest first, with who is there counted by person', async () => {
    const client = await site.connectAs(ada, 2)
    await site.connectAs(ada, 2)
    await site.connectAs(can, 2)
    const { rooms } = (await client.request('getRooms', {})) as { rooms: object[] }
    expect(rooms[0]).toEqual({ id: 2, name: 'Sohbet', activeUsers: 2 })
    expect(rooms[1]).toEqual({ id: 1, name: 'Meydan', activeUsers: 0 })
  })

  it('[ROOM-06] a room that is not there cannot be entered', async () => {
    const client = await site.connectAs(ada, 1)
    expect(await client.request('joinRoom', { roomId: 999 })).toMatchObject({
      code: 'RoomNotFound',
      message: 'Oda bulunamadı!',
    })
    expect(await client.request('getRoomUsers', { roomId: 1 })).toMatchObject({ roomId: 1 })
  })

  it('one person enters thirty times at once, on however many connections, then one time a second', async () => {
    const answers = []
    for (let n = 0; n < 4; n++) {
      const client = await site.connectAs(ada)
      for (let time = 0; time < 10; time++) answers.push(await client.request('joinRoom', { roomId: 1 }))
    }
    expect(answers.slice(0, 30).every((answer) => 'room' in answer)).toBe(true)
    expect(answers.at(-1)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    const resumed = site.openConnection()
    expect(await sendHello(resumed, ada, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: false })
    expect(await (await site.connectAs(can)).request('joinRoom', { roomId: 1 })).toHaveProperty('room')
    site.clockOffset.aheadMs += 1_000
    expect(await (await site.connectAs(ada)).request('joinRoom', { roomId: 1 })).toHaveProperty('room')
  })

  it('[ROOM-07] [ROOM-11] joining another room leaves the one before, and each room hears of its own', async () => {
    const stays = await site.connectAs(ada, 1)
    const moves = await site.connectAs(can, 1)
    await stays.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    await moves.request('joinRoom', { roomId: 2 })
    expect(await stays.waitForEvent('user-left')).toEqual({ roomId: 1, username: 'can' })
    await moves.waitForEvent('users-in-room', ({ roomId }) => roomId === 2)
    expect(moves.countEvents('user-left')).toBe(0)
    site.clockOffset.aheadMs += 11_000
    await stays.request('sendMessage', { roomId: 1, content: 'kimse var mı' })
    await stays.waitForEvent('message')
    expect(await moves.request('getRoomUsers', { roomId: 1 })).toMatchObject({ code: 'NotInRoom' })
    expect(moves.countEvents('message')).toBe(0)
  })

  it('[ROOM-08] with the cursor of a page, brings what came since; nothing is lost or there twice', async () => {
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

  it('[ROOM-08] without a cursor, or with one that is no use, its messages follow', async () => {
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

  it('[ROOM-09] a full room refuses, but not whoever is in it already', async () => {
    const inside = await site.connectAs(ada, 1)
    site.appContext.reader.cursor()
    fillRoom(1)
    const outside = await site.connectAs(can, 2)
    expect(await outside.request('joinRoom', { roomId: 1 })).toMatchObject({ code: 'RoomFull' })
    expect(await outside.request('getRoomUsers', { roomId: 2 })).toMatchObject({ roomId: 2 })
    expect(await inside.request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
    expect(await (await site.connectAs(ada)).request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
  })

  it('[ROOM-13] tells everyone how many people a room has', async () => {
    const elsewhere = await site.connectAs(ada, 2)
    await site.connectAs(can, 1)
    expect(await elsewhere.waitForEvent('roomUserCountUpdate', ({ roomId }) => roomId === 1)).toEqual({
      roomId: 1,
      activeUsers: 1,
    })
  })

  it('[ROOM-14] [PRES-02] [PRES-03] [PRES-07] root admins get the list, the others a count and whom they can mention', async () => {
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

  it('[PRES-06] who goes offline is shown so in the room, and nowhere else', async () => {
    const [sees, elsewhere] = [await site.connectAs(ada, 1), await site.connectAs(await site.createGuest('deniz'), 2)]
    const gone = await site.connectAs(can, 1)
    await sees.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    gone.disconnect()
    expect(await sees.waitForEvent('userStatusChanged')).toEqual({ username: 'can', isOnline: false })
    expect(elsewhere.countEvents('userStatusChanged')).toBe(0)
    const back = site.openConnection()
    await sendHello(back, can, { cursor: 0, roomId: 1 })
    expect(await sees.waitForEvent('userStatusChanged', ({ isOnline }) => isOnline === true)).toEqual({
      username: 'can',
      isOnline: true,
    })
    expect(sees.countEvents('user-left')).toBe(0)
  })

  it('[PRES-11] how somebody is shown from now on is told to those who see them, once, and to nobody else', async () => {
    const sees = await site.connectAs(await site.createRootAdmin('kök'), 1)
    const [elsewhere, outside] = [
      await site.connectAs(ada, 2),
      await site.connectAs(await site.createRootAdmin('uzak'), 2),
    ]
    const named = ({ user }: Record<string, unknown>) => (user as { username: string }).username === 'can'
    await site.connectAs(can, 1)
    await sees.waitForEvent('user-joined', named)
    await outside.waitForEvent('userJoined', named)
    runSql('update user set lastLoginPlatform = ? where username = ?', 'mobile', 'can')
    await site.connectAs(can, 1)
    const now = { user: { username: 'can', lastLoginPlatform: 'mobile', isOnline: true } }
    expect(await sees.waitForEvent('userUpdated')).toMatchObject(now)
    expect(await outside.waitForEvent('userUpdated')).toMatchObject(now)
    await site.connectAs(await site.createGuest('sonra'), 1)
    await sees.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'sonra')
    expect([sees, outside, elsewhere].map((one) => one.countEvents('userUpdated'))).toEqual([1, 1, 0])
  })

  it('[PRES-22] a new face is told to everyone, and to those who see them where they are', async () => {
    const [sees, elsewhere] = [await site.connectAs(await site.createGuest('ece'), 1), await site.connectAs(ada, 2)]
    await site.connectAs(can, 1)
    await sees.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    const again = { username: 'can', gender: 'male', browserId: null, platform: 'web' } as const
    await site.appContext.execute(openGuestSession, can, again)
    for (const client of [sees, elsewhere]) {
      expect(await client.waitForEvent('userProfileUpdated')).toMatchObject({
        user: { id: can.userId, gender: 'male' },
      })
    }
    expect(await sees.waitForEvent('userUpdated')).toMatchObject({
      user: { username: 'can', gender: 'male', isOnline: true },
    })
    expect(site.appContext.presence.listRoom(1).find(({ id }) => id === can.userId)).toMatchObject({ gender: 'male' })
    expect(elsewhere.countEvents('userUpdated')).toBe(0)
    // Said again, it is no news.
    await site.appContext.execute(openGuestSession, can, again)
    await site.appContext.execute(openGuestSession, ada, { ...again, username: 'ada' })
    await sees.waitForEvent('userProfileUpdated', ({ user }) => (user as { id: number }).id === ada.userId)
    expect(sees.countEvents('userProfileUpdated')).toBe(2)
  })

  it('[PRES-12] people are found by a part of their name, and [PRES-13] by gender where one may', async () => {
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

  it('an outsider whose socket is open through all of this hears nothing of it', async () => {
    const outsider = site.openConnection()
    const client = await site.connectAs(ada, 1)
    site.clockOffset.aheadMs += 11_000
    await client.request('sendMessage', { roomId: 1, content: 'gizli' })
    await client.waitForEvent('message')
    expect(outsider.transport.received).toEqual([])
  })
})

/** Makes a room as small as the people who are in it. */
function fillRoom(roomId: number): void {
  runSql('update room set capacity = 1 where id = ?', roomId)
}

/** Changes the file as a later feature will, past the commands of today. */
function runSql(sql: string, ...values: (string | number)[]): void {
  const db = openForWriting(site.appContext.settings.databaseFile)
  db.prepare(sql).run(...values)
  db.close()
}
