import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { GRACE_MS } from '../../../shared/room-orders/term-rules.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { roomRoutes } from '../rooms/routes.ts'
import { expireRooms, hasRoomToExpire } from './expire-rooms.ts'

const HOUR_MS = 60 * 60_000

let api: TestApi
let owner: TestUser
let admin: TestUser
let bystander: TestUser
let lastRoomId = 100

beforeAll(async () => {
  api = await openTestApi({}, (app, _, site) => roomRoutes(app, site.appContext))
  owner = await api.region.createMember('sahip')
  admin = await api.region.createMember('nöbetçi')
  bystander = await api.region.createMember('seyirci')
})
afterAll(() => api.close())

function runSql(sql: string): void {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  db.exec(sql)
  db.close()
}

/** A room of the owner that has not expired. */
function addRoom(isList: 0 | 1): number {
  const id = ++lastRoomId
  runSql(
    `insert into room (id, name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt, expiryDate)
     values (${id}, 'Oda ${id}', 'oda ${id}', 10, ${isList}, 1, ${owner.userId}, 0, 0, ${Date.now() + GRACE_MS});
     insert into roomAdmin (roomId, userId) values (${id}, ${admin.userId})`,
  )
  return id
}

const setExpiry = (id: number, at: number) => runSql(`update room set expiryDate = ${at} where id = ${id}`)
const isActive = async (id: number) => (await api.get(`/api/rooms/${id}`)).body.room
const connect = (user: TestUser, roomId?: number) => api.region.connectAs(user, roomId)
const matchesRoom = (id: number) => (payload: Record<string, unknown>) => payload.roomId === id
const namesOf = ({ transport }: TestClient) =>
  transport.received.flatMap((value) => (value[0] === 4 ? [value[2]] : [])).filter((name) => /[rR]oom/.test(name))
const listedIds = async () => ((await (await api.send('/api/rooms')).json()) as { id: number }[]).map(({ id }) => id)

it('[ORDER-30] a room is deactivated a week after its expiry, leaves the list, and cannot be entered', async () => {
  const id = addRoom(1)
  const client = await connect(bystander)
  setExpiry(id, Date.now() - GRACE_MS + HOUR_MS)
  expect(hasRoomToExpire(api.region.appContext.reader, Date.now())).toBe(false)
  expect(await listedIds()).toContain(id)
  setExpiry(id, Date.now() - GRACE_MS - 1)
  expect(await client.waitForEvent('roomDeactivated', matchesRoom(id))).toEqual({ roomId: id, isList: true })
  expect(await isActive(id)).toMatchObject({ id, isActive: false })
  expect(await listedIds()).not.toContain(id)
  expect(await client.request('joinRoom', { roomId: id })).toMatchObject({ code: 'RoomNotFound' })
})

it('[ORDER-31] everybody in it is told, is out of it and can send nothing more to it', async () => {
  for (const isList of [0, 1] as const) {
    const id = addRoom(isList)
    const inside = await connect(bystander, id)
    expect(api.region.appContext.presence.roomCount(id, null)).toBe(1)
    setExpiry(id, Date.now() - GRACE_MS - 1)
    await inside.waitForEvent('roomDeactivated', matchesRoom(id))
    expect(api.region.appContext.presence.roomCount(id, null)).toBe(0)
    expect(await inside.request('getRoomUsers', { roomId: id })).toMatchObject({ code: 'NotInRoom' })
    const message = { roomId: id, content: 'Hâlâ burada', clientId: crypto.randomUUID() }
    expect(await inside.request('sendMessage', message)).toMatchObject({ code: 'RoomNotFound' })
    inside.disconnect()
  }
})

it('[ORDER-32] of an unlisted room only its people and its staff hear', async () => {
  const id = addRoom(0)
  const [outside, staff] = [await connect(bystander), await connect(admin)]
  const ownerClient = await connect(owner, id)
  setExpiry(id, Date.now() - GRACE_MS - 1)
  await ownerClient.waitForEvent('roomDeactivated', matchesRoom(id))
  await ownerClient.waitForEvent('ownRoomsChanged', matchesRoom(id))
  await staff.waitForEvent('ownRoomsChanged', matchesRoom(id))
  await outside.request('getRooms', {})
  expect(namesOf(outside)).toEqual([])
  expect(namesOf(staff)).toEqual(['ownRoomsChanged'])
})

it('[ORDER-33] a clock that jumps ahead closes rooms, and those it closed too early open again', async () => {
  const [due, early] = [addRoom(1), addRoom(1)]
  setExpiry(due, Date.now() - GRACE_MS + HOUR_MS)
  setExpiry(early, Date.now() - GRACE_MS + 3 * HOUR_MS)
  const client = await connect(bystander)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * HOUR_MS })
  onTestFinished(() => void vi.useRealTimers())
  await client.waitForEvent('roomDeactivated', matchesRoom(due))
  await client.waitForEvent('roomDeactivated', matchesRoom(early))
  vi.setSystemTime(Date.now() - 2 * HOUR_MS)
  const isRoom =
    (id: number) =>
    ({ room }: Record<string, unknown>) =>
      (room as { id: number }).id === id
  expect(await client.waitForEvent('roomCreated', isRoom(early))).toMatchObject({
    isList: true,
    room: { name: `Oda ${early}` },
  })
  expect(
    client.transport.received.some(([, , name, payload]) => name === 'roomCreated' && isRoom(due)(payload as never)),
  ).toBe(false)
  vi.useRealTimers()
  await client.waitForEvent('roomCreated', isRoom(due))
  expect(await listedIds()).toEqual(expect.arrayContaining([due, early]))
})

it('[ORDER-33] a room without expiry, and one that is inactive for another reason, stay as they are', async () => {
  runSql('update room set isActive = 0 where id = 5')
  const steps = await api.region.appContext.execute(expireRooms, null, {})
  expect(steps).toEqual({ removed: 0 })
  expect(await isActive(1)).toMatchObject({ isActive: true })
  expect(await isActive(5)).toMatchObject({ isActive: false })
  runSql('update room set isActive = 1 where id = 5')
})
