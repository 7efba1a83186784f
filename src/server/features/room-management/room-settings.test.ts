import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_GREETING_LENGTH, MAX_SLOW_MODE_SECONDS } from '../../../shared/room-management/limits.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { runSql } from '../../testing/fixtures/test-rooms.ts'
import { roomManagementRoutes } from './routes.ts'
import { trimRoomRecords } from './trim-room-records.ts'

let api: TestApi
let room: OwnedRoom
beforeEach(async () => {
  const env = { MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' }
  api = await openTestApi(env, (app, _, site) => roomManagementRoutes(app, site.appContext))
  room = await createOwnedRoom(api.region)
})
afterEach(() => api.close())

const send = async (user: TestUser, method: string, path: string, body: object) => {
  const headers = { origin: api.origin, 'content-type': 'application/json', authorization: `Bearer ${user.token}` }
  const response = await api.send(`/api/rooms/${path}`, { method, headers, body: JSON.stringify(body) })
  return (await response.json()) as Record<string, unknown> // every route answers an object
}
const greet = (user: TestUser, greetingMessage: string, roomId = room.roomId) =>
  send(user, 'PUT', `${roomId}/greeting-message`, { greetingMessage })
const setSlowMode = (user: TestUser, slowModeSeconds: number, roomId = room.roomId) =>
  send(user, 'POST', 'set-slow-mode', { roomId, slowModeSeconds })
const say = (client: TestClient, content: string) => client.request('sendMessage', { roomId: room.roomId, content })

describe('the greeting of a room', () => {
  it('[MANAGE-05] is set by its staff, told to its users alone, and part of the next entry', async () => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    const elsewhere = await api.region.connectAs(room.guest, 1)
    for (const [index, user] of [room.owner, room.admin, room.root].entries()) {
      const greetingMessage = `Hoş geldiniz ${index}`
      expect(await greet(user, greetingMessage)).toEqual({ success: true, greetingMessage })
      await inRoom.waitForEvent('roomSettingsUpdated', (event) => event.greetingMessage === greetingMessage)
    }
    expect(await elsewhere.request('joinRoom', { roomId: room.roomId })).toMatchObject({
      room: { greetingMessage: 'Hoş geldiniz 2' },
    })
    expect(await greet(room.owner, '   ')).toEqual({ success: true, greetingMessage: null })
    await inRoom.waitForEvent('roomSettingsUpdated', (event) => event.greetingMessage === null)
    expect(inRoom.countEvents('roomSettingsUpdated')).toBe(4)
  })

  it('[MANAGE-05] is refused to others, and for other rooms, and sends nothing then', async () => {
    const inRoom = await api.region.connectAs(room.member, room.roomId)
    for (const user of [room.member, room.premium, room.guest])
      expect(await greet(user, 'Selam')).toMatchObject({ code: 'Forbidden' })
    expect(await greet(room.owner, 'Selam', 1)).toMatchObject({ code: 'Forbidden' })
    expect(await greet(room.owner, 'Selam', 999)).toMatchObject({ code: 'RoomNotFound' })
    expect(await greet(room.owner, 'x'.repeat(MAX_GREETING_LENGTH + 1))).toMatchObject({ code: 'InvalidInput' })
    expect(inRoom.countEvents('roomSettingsUpdated')).toBe(0)
  })

  it.each([
    ['se\u0000lam\u202Eters', 'selamters'],
    ['bir\r\n\r\n\r\n\r\niki', 'bir\n\niki'],
    [Array.from({ length: 12 }, (_, line) => line).join('\n'), '0\n1\n2\n3\n4\n5\n6\n7 8 9 10 11'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('[MANAGE-05] is plain text of a few lines: %j is stored as %j', async (typed, stored) => {
    expect(await greet(room.owner, typed)).toEqual({ success: true, greetingMessage: stored })
  })
})

describe('slow mode', () => {
  it('[MANAGE-06] holds the messages of one user apart, says how long, and spares the staff', async () => {
    await setSlowMode(room.admin, 20)
    const member = await api.region.connectAs(room.member, room.roomId)
    const guest = await api.region.connectAs(room.guest, room.roomId)
    const owner = await api.region.connectAs(room.owner, room.roomId)
    expect(await say(member, 'bir')).toMatchObject({ success: true })
    expect(await say(guest, 'benim')).toMatchObject({ success: true })
    for (const text of ['bir', 'iki', 'üç']) expect(await say(owner, text)).toMatchObject({ success: true })
    const refused = await say(member, 'iki')
    expect(refused).toMatchObject({
      code: 'SlowMode',
      waitMs: expect.toSatisfy((wait) => wait > 15_000 && wait <= 20_000),
    })
    runSql(api.region, 'update slowModeMessage set sentAt = sentAt - 20000')
    expect(await say(member, 'iki')).toMatchObject({ success: true })
  })

  it('[MANAGE-06] counts a message that was removed, and ends when it is switched off', async () => {
    await setSlowMode(room.owner, MAX_SLOW_MODE_SECONDS)
    const member = await api.region.connectAs(room.member, room.roomId)
    const admin = await api.region.connectAs(room.admin, room.roomId)
    await say(member, 'bir')
    await admin.request('clearRoomMessages', { roomId: room.roomId })
    expect(await say(member, 'iki')).toMatchObject({ code: 'SlowMode' })
    await setSlowMode(room.admin, 0)
    expect(await say(member, 'iki')).toMatchObject({ success: true })
  })

  it('[MANAGE-06] is refused to others, and beyond its bound', async () => {
    for (const user of [room.member, room.guest])
      expect(await setSlowMode(user, 5)).toMatchObject({ code: 'Forbidden' })
    for (const seconds of [-1, 1.5, MAX_SLOW_MODE_SECONDS + 1])
      expect(await setSlowMode(room.owner, seconds)).toMatchObject({ code: 'InvalidInput' })
    expect(await setSlowMode(room.owner, 5, 1)).toMatchObject({ code: 'Forbidden' })
  })

  it('[MANAGE-06] keeps the rows of an hour', async () => {
    const insert = 'insert into slowModeMessage (roomId, userId, sentAt) values (?, ?, ?)'
    const now = api.region.appContext.clock()
    runSql(api.region, insert, room.roomId, room.member.userId, now - MAX_SLOW_MODE_SECONDS * 1000 - 60_000)
    runSql(api.region, insert, room.roomId, room.guest.userId, now)
    expect(await api.region.appContext.execute(trimRoomRecords, null, {})).toEqual({ removed: 1 })
    expect(await api.region.appContext.execute(trimRoomRecords, null, {})).toEqual({ removed: 0 })
  })
})
