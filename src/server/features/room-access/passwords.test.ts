import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openForWriting } from '../../kernel/database/open.ts'
import { authentication } from '../../kernel/http/authentication.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { stopClock } from '../../testing/fixtures/stop-clock.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { sendHello, type TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { openMemberSession } from '../accounts/sign-in/open-member-session.ts'
import { signToken } from '../accounts/tokens/tokens.ts'
import { removeRoomAdmin } from '../room-management/remove-room-admin.ts'
import { loadRoomPage } from '../rooms/pages.ts'
import { roomRoutes } from '../rooms/routes.ts'
import { roomAccessRoutes } from './routes.ts'

let api: TestApi
let room: OwnedRoom
const apis: TestApi[] = []
async function start(env: Record<string, string> = {}) {
  api = await openTestApi({ MEYDAN_JOIN_WAIT_MS: '0', ...env }, (app, _, region) => {
    roomAccessRoutes(app, region.appContext)
    roomRoutes(app, region.appContext)
  })
  apis.push(api)
  room = await createOwnedRoom(api.region)
}
beforeEach(() => start({ MEYDAN_LIMIT_SCALE: '100' }))
afterAll(async () => {
  for (const opened of apis) await opened.close()
})

type Who = Exclude<keyof OwnedRoom, 'roomId'>
const PASSWORD = 'gizli kapı'

const post = (who: TestUser, path: string, body: object = {}) =>
  api.post(`/api/rooms/${room.roomId}/${path}`, body, { authorization: `Bearer ${who.token}` })
const setPassword = (who = room.owner, password = PASSWORD) => post(who, 'set-password', { password })
const check = (who: TestUser, password = PASSWORD) => post(who, 'check-password', { password })
const join = async (who: TestUser) => {
  const client = await api.region.connectAs(who)
  return { client, answer: await client.request('joinRoom', { roomId: room.roomId }) }
}
const REQUIRED = { code: 'RoomPasswordRequired', message: 'Bu oda şifreli. Girmek için oda şifresini yaz.' }

const actorOf = (who: TestUser) => ({ ...who, role: 'member' as const })

/** Another session of the same user. */
async function openOtherSession({ userId, username }: TestUser): Promise<TestUser> {
  const { appContext } = api.region
  const input = { userId, passwordHash: 'none', platform: 'web' } as const
  const opened = await appContext.execute(openMemberSession, null, input)
  if (!('sessionId' in opened)) return expect.unreachable(opened.body.code)
  const token = await signToken(appContext.keys, 'userToken', opened, appContext.clock())
  return { userId, username, sessionId: opened.sessionId, token }
}

describe('setting and removing the password of a room', () => {
  it.each<[Who, number]>([
    ['owner', 200],
    ['admin', 200],
    ['root', 200],
    ['member', 403],
    ['guest', 403],
  ])('[ENTRY-05] by its %s is answered with %i', async (who, status) => {
    expect(await setPassword(room[who])).toMatchObject({ status })
    expect(await post(room[who], 'remove-password')).toMatchObject({ status })
  })

  it('[ENTRY-05] stores an argon2id hash, and answers say only that there is one', async () => {
    await setPassword()
    const db = openForWriting(api.region.appContext.config.databaseFile)
    const stored = db.prepare('select passwordHash from room where id = ?').pluck().get(room.roomId)
    db.close()
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const { body } = await api.get(`/api/rooms/${room.roomId}`)
    expect(body.room).toMatchObject({ hasPassword: true })
    const { answer } = await join(room.owner)
    for (const shown of [body, answer]) expect(JSON.stringify(shown)).not.toMatch(/argon|passwordHash|gizli/)
    await post(room.owner, 'remove-password')
    expect((await api.get(`/api/rooms/${room.roomId}`)).body.room).toMatchObject({ hasPassword: false })
  })

  it('[ENTRY-05] refuses one that is too short or too long, and an unknown room', async () => {
    expect(await setPassword(room.owner, 'abc')).toMatchObject({
      status: 422,
      body: { message: 'Oda şifresi en az 4 karakter olmalıdır.' },
    })
    expect(await setPassword(room.owner, 'a'.repeat(129))).toMatchObject({
      body: { message: 'Oda şifresi en fazla 128 karakter olabilir.' },
    })
    room.roomId = 9_999
    for (const path of ['set-password', 'check-password'])
      expect(await post(room.root, path, { password: PASSWORD })).toMatchObject({ body: { code: 'RoomNotFound' } })
  })

  it('[ENTRY-04] tells the users of the room and no others', async () => {
    const inside = await api.region.connectAs(room.member, room.roomId)
    const outside = await api.region.connectAs(room.guest, 1)
    await setPassword()
    expect(await inside.waitForEvent('roomPasswordUpdated')).toEqual({ roomId: room.roomId, hasPassword: true })
    await post(room.owner, 'remove-password')
    await post(room.owner, 'remove-password')
    for (const client of [inside, outside]) await client.request('getRooms', {})
    expect([inside, outside].map((client) => client.countEvents('roomPasswordUpdated'))).toEqual([2, 0])
  })
})

describe('checking the password of a room', () => {
  it('[ENTRY-06] opens the room to that session until the password changes', async () => {
    await setPassword()
    expect((await join(room.member)).answer).toMatchObject(REQUIRED)
    expect(await check(room.member, 'yanlış')).toMatchObject({
      status: 403,
      body: { code: 'RoomPasswordWrong', message: 'Oda şifresi yanlış.' },
    })
    expect(await check(room.member)).toMatchObject({ status: 200, body: { success: true } })
    expect((await join(room.member)).answer).toMatchObject({ room: { hasPassword: true } })
    const other = await openOtherSession(room.member)
    expect((await join(other)).answer).toMatchObject(REQUIRED)

    await setPassword(room.admin, 'yepyeni')
    expect((await join(room.member)).answer).toMatchObject(REQUIRED)
    expect(await check(room.member)).toMatchObject({ body: { code: 'RoomPasswordWrong' } })
    expect(await check(room.member, 'yepyeni')).toMatchObject({ status: 200 })
    await post(room.owner, 'remove-password')
    expect((await join(other)).answer).toMatchObject({ room: { hasPassword: false } })
    await setPassword(room.owner, 'yepyeni')
    expect((await join(room.member)).answer).toMatchObject(REQUIRED)
  })

  it('[ENTRY-06] of a room without one succeeds', async () => {
    expect(await check(room.member)).toMatchObject({ status: 200, body: { success: true } })
  })

  it('[ENTRY-07] is limited by person, over all their sessions, and a right password costs nothing', async () => {
    stopClock()
    await start()
    await setPassword()
    for (let turn = 0; turn < 7; turn++) expect(await check(room.member)).toMatchObject({ status: 200 })
    const other = await openOtherSession(room.premium)
    for (let turn = 0; turn < 5; turn++)
      expect(await check(turn % 2 ? other : room.premium, `yanlış ${turn}`)).toMatchObject({ status: 403 })
    for (const session of [other, room.premium])
      expect(await check(session)).toMatchObject({ status: 429, body: { waitMs: expect.any(Number) } })
    expect((await join(room.premium)).answer).toMatchObject(REQUIRED)
  })

  it('[ENTRY-07] is limited by address, over all its people', async () => {
    stopClock()
    await start()
    await setPassword()
    const statuses = []
    for (let person = 0; person < 7; person++) {
      const guest = await api.region.createGuest(`deneyen${person}`)
      for (let turn = 0; turn < 3; turn++) statuses.push((await check(guest, `yanlış ${turn}`)).status)
    }
    expect(statuses).toEqual([...Array(20).fill(403), 429])
  })
})

describe('a room with a password, without it', () => {
  it('[ENTRY-08] gives no page, no history, no search, no users and no replay', async () => {
    const { appContext } = api.region
    const { client: inside } = await join(room.member)
    await inside.request('sendMessage', { roomId: room.roomId, content: 'Sır saklı' })
    const cursor = appContext.reader.cursor()
    await setPassword()
    await (await join(room.owner)).client.request('sendMessage', { roomId: room.roomId, content: 'Kapandı' })
    const { roomId } = room
    const reads = [
      await inside.request('getMessages', { roomId }),
      await inside.request('searchMessages', { roomId, text: 'Sır saklı' }),
      await inside.request('getRoomUsers', { roomId }),
    ]
    for (const answer of reads) expect(answer).toMatchObject(REQUIRED)

    const again = api.region.openConnection()
    const hello = await sendHello(again, room.member, { cursor, roomId })
    expect(hello).not.toHaveProperty('roomId')
    expect(await again.request('joinRoom', { roomId, cursor })).toMatchObject(REQUIRED)
    expect(again.countEvents('message')).toBe(0)
    const person = appContext.service(authentication).findSessionUser(appContext.reader, room.member)?.person
    const page = loadRoomPage(appContext, roomId, {
      actor: { ...room.member, role: 'member' },
      person: person ?? expect.unreachable('the member has a session'),
      token: '',
    })
    expect(page).toMatchObject({ body: REQUIRED })
  })

  it('[ENTRY-08] gives neither its greeting nor its background, also when it is deactivated', async () => {
    const { roomId } = room
    const picture = `${'a'.repeat(64)}.webp`
    const set = 'update room set backgroundImage = ?, backgroundImageHash = ?, greetingMessage = ? where id = ?'
    runSql(api.region, set, picture, picture, 'Kasa şifresi 42', roomId)
    const read = async (who: TestUser | null) => {
      const { body } = await api.get(`/api/rooms/${roomId}`, who ? { authorization: `Bearer ${who.token}` } : {})
      return body
    }
    const whole = { room: { greetingMessage: 'Kasa şifresi 42', backgroundImage: picture } }
    expect(await read(null)).toMatchObject(whole)
    await setPassword()
    for (const who of [null, room.member, room.guest]) {
      const body = await read(who)
      expect(body).toMatchObject({ room: { id: roomId, hasPassword: true, greetingMessage: null } })
      expect(JSON.stringify(body)).not.toMatch(/Kasa|aaaa/)
    }
    await check(room.member)
    for (const who of [room.member, room.admin, room.owner, room.root]) expect(await read(who)).toMatchObject(whole)
    await post(room.owner, 'remove-password')
    runSql(api.region, 'update room set isActive = 0 where id = ?', roomId)
    expect(await read(room.guest)).toMatchObject({ room: { greetingMessage: null, backgroundImage: null } })
  })

  it('[ENTRY-08] gives no mention and no unread fingerprint', async () => {
    const watcher = await api.region.connectAs(room.member, 1)
    expect(await watcher.request('watchRooms', { roomIds: [room.roomId] })).toMatchObject({ rooms: [{}] })
    await setPassword()
    const { client: host } = await join(room.owner)
    await host.request('sendMessage', { roomId: room.roomId, content: `@${room.member.username} duy` })
    expect(await watcher.request('watchRooms', { roomIds: [room.roomId] })).toEqual({ rooms: [] })
    const names = ['roomActivity', 'mentionNotification', 'newNotification'] as const
    expect(names.map((name) => watcher.countEvents(name))).toEqual([0, 0, 0])

    await check(room.member)
    await host.request('sendMessage', { roomId: room.roomId, content: `@${room.member.username} şimdi` })
    expect(await watcher.waitForEvent('mentionNotification')).toMatchObject({ content: expect.stringMatching('şimdi') })
  })

  it('[ENTRY-08] replays no earlier mention, and shows no text of it in the list', async () => {
    const { client: host } = await join(room.owner)
    const cursor = api.region.appContext.reader.cursor()
    await host.request('sendMessage', { roomId: room.roomId, content: `@${room.member.username} gizlice` })
    await setPassword()
    const client = api.region.openConnection()
    expect(await sendHello(client, room.member, { cursor })).toMatchObject({ resumed: true })
    const { notifications } = await client.waitForEvent('initialNotifications')
    expect(notifications).toMatchObject([{ type: 'mention', content: '' }])
    expect(client.countEvents('mentionNotification') + client.countEvents('newNotification')).toBe(0)
    expect(JSON.stringify(client.transport.received)).not.toContain('gizlice')
  })

  it.each<Who>(['owner', 'admin', 'root'])('[ENTRY-08] is open to its %s', async (who) => {
    await setPassword()
    const { client, answer } = await join(room[who])
    expect(answer).toMatchObject({ room: { hasPassword: true } })
    expect(await client.request('getMessages', { roomId: room.roomId })).toMatchObject({ messages: [] })
  })

  it('[ENTRY-09] keeps those who are in it: they receive and write until they leave', async () => {
    const { client: inside } = await join(room.member)
    await setPassword()
    const { client: host } = await join(room.owner)
    await host.request('sendMessage', { roomId: room.roomId, content: 'Hoş geldin' })
    expect(await inside.waitForEvent('message')).toMatchObject({ content: 'Hoş geldin' })
    expect(await inside.request('sendMessage', { roomId: room.roomId, content: 'Buradayım' })).toMatchObject({
      success: true,
    })
    await inside.request('joinRoom', { roomId: 1 })
    expect(await inside.request('joinRoom', { roomId: room.roomId })).toMatchObject(REQUIRED)
  })

  it('[ENTRY-09] lets a former admin stay only with it', async () => {
    const { roomId } = room
    await setPassword()
    const { client: former } = await join(room.admin)
    const { client: host } = await join(room.owner)
    const watcher = await api.region.connectAs(room.admin, 1)
    expect(await watcher.request('watchRooms', { roomIds: [roomId] })).toMatchObject({ rooms: [{ roomId }] })
    const remove = () =>
      api.region.appContext.execute(removeRoomAdmin, actorOf(room.owner), { roomId, userId: room.admin.userId })
    await remove()
    expect(await former.waitForEvent('roomAdminRemoved')).toMatchObject({ roomId, userId: room.admin.userId })
    await host.request('sendMessage', { roomId, content: 'Artık aramızda' })
    expect(await former.request('sendMessage', { roomId, content: 'Duyuyorum' })).toMatchObject({ code: 'NotInRoom' })
    expect(await former.request('joinRoom', { roomId })).toMatchObject(REQUIRED)
    await watcher.request('getRooms', {})
    expect([former.countEvents('message'), watcher.countEvents('roomActivity')]).toEqual([0, 0])
    expect(api.region.appContext.presence.isIn(roomId, room.admin.userId, null)).toBe(false)

    await check(room.admin)
    await former.request('joinRoom', { roomId })
    runSql(api.region, 'insert into roomAdmin (roomId, userId) values (?, ?)', roomId, room.admin.userId)
    await remove()
    expect(await former.request('sendMessage', { roomId, content: 'Kaldım' })).toMatchObject({ success: true })
  })
})
