import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForWriting } from '../database/open.ts'
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

describe('rooms', () => {
  it('[ROOM-01] room 1 is Meydan, from the first start and after a second one', async () => {
    await site.restart()
    const client = await site.join(ada)
    expect(await client.request('joinRoom', { roomId: 1 })).toMatchObject({
      room: { id: 1, name: 'Meydan', isList: true, isActive: true, ownerId: null, expiryDate: null, activeUsers: 1 },
    })
  })

  it('[ROOM-03] getRooms lists the liveliest first, with who is there counted by person', async () => {
    const client = await site.join(ada, 2)
    await site.join(ada, 2)
    await site.join(can, 2)
    const { rooms } = (await client.request('getRooms', {})) as { rooms: object[] }
    expect(rooms[0]).toEqual({ id: 2, name: 'Sohbet', activeUsers: 2 })
    expect(rooms[1]).toEqual({ id: 1, name: 'Meydan', activeUsers: 0 })
  })

  it('[ROOM-06] a room that is not there cannot be entered', async () => {
    const client = await site.join(ada, 1)
    expect(await client.request('joinRoom', { roomId: 999 })).toMatchObject({
      code: 'RoomNotFound',
      message: 'Oda bulunamadı!',
    })
    expect(await client.request('getRoomUsers', { roomId: 1 })).toMatchObject({ roomId: 1 })
  })

  it('one person enters thirty times at once, on however many connections, then one time a second', async () => {
    const answers = []
    for (let n = 0; n < 4; n++) {
      const client = await site.join(ada)
      for (let time = 0; time < 10; time++) answers.push(await client.request('joinRoom', { roomId: 1 }))
    }
    expect(answers.slice(0, 30).every((answer) => 'room' in answer)).toBe(true)
    expect(answers.at(-1)).toMatchObject({ code: 'RateLimited', waitMs: expect.any(Number) })
    const resumed = site.connect()
    expect(await hello(resumed, ada, { cursor: 0, roomId: 1 })).toMatchObject({ resumed: false })
    expect(await (await site.join(can)).request('joinRoom', { roomId: 1 })).toHaveProperty('room')
    site.clock.aheadMs += 1_000
    expect(await (await site.join(ada)).request('joinRoom', { roomId: 1 })).toHaveProperty('room')
  })

  it('[ROOM-07] [ROOM-11] joining another room leaves the one before, and each room hears of its own', async () => {
    const stays = await site.join(ada, 1)
    const moves = await site.join(can, 1)
    await stays.heard('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    await moves.request('joinRoom', { roomId: 2 })
    expect(await stays.heard('user-left')).toEqual({ roomId: 1, username: 'can' })
    await moves.heard('users-in-room', ({ roomId }) => roomId === 2)
    expect(moves.count('user-left')).toBe(0)
    site.clock.aheadMs += 11_000
    await stays.request('sendMessage', { roomId: 1, content: 'kimse var mı' })
    await stays.heard('message')
    expect(await moves.request('getRoomUsers', { roomId: 1 })).toMatchObject({ code: 'NotInRoom' })
    expect(moves.count('message')).toBe(0)
  })

  it('[ROOM-08] with the cursor of a page, brings what came since; nothing is lost or there twice', async () => {
    const speaker = await site.join(ada, 1)
    site.clock.aheadMs += 11_000
    await speaker.request('sendMessage', { roomId: 1, content: 'sayfada' })
    const cursor = site.appContext.reader.cursor()
    await speaker.request('sendMessage', { roomId: 1, content: 'arada' })
    const client = await site.join(can)
    const answer = await client.request('joinRoom', { roomId: 1, cursor })
    expect(answer).toMatchObject({ cursor: 2, missed: [[4, 2, 'message', { content: 'Arada' }]] })
    await speaker.request('sendMessage', { roomId: 1, content: 'sonra' })
    expect(await client.heard('message')).toMatchObject({ content: 'Sonra' })
    expect(client.count('message')).toBe(1)
    expect(client.count('loadRoomMessages')).toBe(0)
  })

  it('[ROOM-08] without a cursor, or with one that is no use, its messages follow', async () => {
    const speaker = await site.join(ada, 1)
    site.clock.aheadMs += 11_000
    await speaker.request('sendMessage', { roomId: 1, content: 'merhaba' })
    for (const cursor of [undefined, 77]) {
      const client = await site.join(can)
      expect(await client.request('joinRoom', { roomId: 1, ...(cursor && { cursor }) })).not.toHaveProperty('missed')
      expect(await client.heard('loadRoomMessages')).toMatchObject({ roomId: 1, messages: [{ content: 'Merhaba' }] })
    }
  })

  it('[ROOM-09] a full room refuses, but not whoever is in it already', async () => {
    const inside = await site.join(ada, 1)
    site.appContext.reader.cursor()
    fillRoom(1)
    const outside = await site.join(can, 2)
    expect(await outside.request('joinRoom', { roomId: 1 })).toMatchObject({ code: 'RoomFull' })
    expect(await outside.request('getRoomUsers', { roomId: 2 })).toMatchObject({ roomId: 2 })
    expect(await inside.request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
    expect(await (await site.join(ada)).request('joinRoom', { roomId: 1 })).toMatchObject({ room: { id: 1 } })
  })

  it('[ROOM-13] tells everyone how many people a room has', async () => {
    const elsewhere = await site.join(ada, 2)
    await site.join(can, 1)
    expect(await elsewhere.heard('roomUserCountUpdate', ({ roomId }) => roomId === 1)).toEqual({
      roomId: 1,
      activeUsers: 1,
    })
  })

  it('[ROOM-14] [PRES-02] [PRES-03] [PRES-07] root admins get the list, the others a count and whom they can mention', async () => {
    const root = await site.join(await site.makeRootAdmin('kök'), 1)
    const visitor = await site.join(ada, 1)
    expect(await root.heard('activeUsers')).toMatchObject({ count: expect.any(Number), users: expect.any(Array) })
    expect(await root.heard('userJoined', ({ user }) => (user as { username: string }).username === 'ada')).toBeTruthy()
    expect(await visitor.heard('activeUsersForMention')).toMatchObject({ roomId: 1 })
    await visitor.heard('activeUsersCount', ({ count }) => count === 2)
    visitor.cut()
    expect(await root.heard('userLeft')).toEqual({ username: 'ada' })
    expect([root.count('activeUsersCount'), root.count('activeUsersForMention')]).toEqual([0, 0])
    expect([visitor.count('activeUsers'), visitor.count('userJoined'), visitor.count('userLeft')]).toEqual([0, 0, 0])
  })

  it('[PRES-06] who goes offline is shown so in the room, and nowhere else', async () => {
    const [sees, elsewhere] = [await site.join(ada, 1), await site.join(await site.enter('deniz'), 2)]
    const gone = await site.join(can, 1)
    await sees.heard('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    gone.cut()
    expect(await sees.heard('userStatusChanged')).toEqual({ username: 'can', isOnline: false })
    expect(elsewhere.count('userStatusChanged')).toBe(0)
    const back = site.connect()
    await hello(back, can, { cursor: 0, roomId: 1 })
    expect(await sees.heard('userStatusChanged', ({ isOnline }) => isOnline === true)).toEqual({
      username: 'can',
      isOnline: true,
    })
    expect(sees.count('user-left')).toBe(0)
  })

  it('[PRES-11] how somebody is shown from now on is told to those who see them, once, and to nobody else', async () => {
    const sees = await site.join(await site.makeRootAdmin('kök'), 1)
    const [elsewhere, outside] = [await site.join(ada, 2), await site.join(await site.makeRootAdmin('uzak'), 2)]
    const named = ({ user }: Record<string, unknown>) => (user as { username: string }).username === 'can'
    await site.join(can, 1)
    await sees.heard('user-joined', named)
    await outside.heard('userJoined', named)
    runSql('update user set lastLoginPlatform = ? where username = ?', 'mobile', 'can')
    await site.join(can, 1)
    const now = { user: { username: 'can', lastLoginPlatform: 'mobile', isOnline: true } }
    expect(await sees.heard('userUpdated')).toMatchObject(now)
    expect(await outside.heard('userUpdated')).toMatchObject(now)
    await site.join(await site.enter('sonra'), 1)
    await sees.heard('user-joined', ({ user }) => (user as { username: string }).username === 'sonra')
    expect([sees, outside, elsewhere].map((one) => one.count('userUpdated'))).toEqual([1, 1, 0])
  })

  it('[PRES-22] a new face is told to everyone, and to those who see them where they are', async () => {
    const [sees, elsewhere] = [await site.join(await site.enter('ece'), 1), await site.join(ada, 2)]
    await site.join(can, 1)
    await sees.heard('user-joined', ({ user }) => (user as { username: string }).username === 'can')
    const again = { username: 'can', gender: 'male', browserId: null, platform: 'web' } as const
    await site.appContext.execute('openGuestSession', can, again)
    for (const client of [sees, elsewhere]) {
      expect(await client.heard('userProfileUpdated')).toMatchObject({ user: { id: can.userId, gender: 'male' } })
    }
    expect(await sees.heard('userUpdated')).toMatchObject({ user: { username: 'can', gender: 'male', isOnline: true } })
    expect(site.appContext.presence.listRoom(1).find(({ id }) => id === can.userId)).toMatchObject({ gender: 'male' })
    expect(elsewhere.count('userUpdated')).toBe(0)
    // Said again, it is no news.
    await site.appContext.execute('openGuestSession', can, again)
    await site.appContext.execute('openGuestSession', ada, { ...again, username: 'ada' })
    await sees.heard('userProfileUpdated', ({ user }) => (user as { id: number }).id === ada.userId)
    expect(sees.count('userProfileUpdated')).toBe(2)
  })

  it('[PRES-12] people are found by a part of their name, and [PRES-13] by gender where one may', async () => {
    const [guest, root] = [await site.join(ada, 1), await site.join(await site.makeRootAdmin('kök'), 1)]
    runSql("update user set gender = 'female' where username = ?", 'can')
    await site.join(can, 1)
    await guest.heard('user-joined', ({ user }) => (user as { username: string }).username === 'can')
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
    const outsider = site.connect()
    const client = await site.join(ada, 1)
    site.clock.aheadMs += 11_000
    await client.request('sendMessage', { roomId: 1, content: 'gizli' })
    await client.heard('message')
    expect(outsider.line.received).toEqual([])
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
