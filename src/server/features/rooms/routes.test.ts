import { afterAll, beforeAll, expect, it } from 'vitest'
import { openForWriting } from '../../kernel/database/open.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { roomRoutes } from './routes.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({}, (app, _, site) => roomRoutes(app, site.appContext))
})
afterAll(() => api.close())

/** Changes rows for which there is no command yet. */
function runSql(sql: string): void {
  const db = openForWriting(api.region.appContext.config.databaseFile)
  db.exec(sql)
  db.close()
}

const fetchRoomList = async () => (await api.send('/api/rooms')).json()

it('[ROOM-01] [ROOM-03] GET /rooms lists id, name and activeUsers, with Meydan first while all rooms are empty', async () => {
  expect((await fetchRoomList())[0]).toEqual({ id: 1, name: 'Meydan', activeUsers: 0 })
  await api.region.connectAs(await api.region.createGuest('ada'), 2)
  expect((await fetchRoomList()).map(({ id }: { id: number }) => id).slice(0, 2)).toEqual([2, 1])
})

it('[ROOM-03] GET /rooms leaves out unlisted and inactive rooms', async () => {
  runSql('update room set isList = 0 where id = 4; update room set isActive = 0 where id = 5')
  const ids = (await fetchRoomList()).map(({ id }: { id: number }) => id)
  expect(ids.toSorted()).toEqual([1, 2, 3])
})

it('[ROOM-04] GET /rooms/{id} answers with the room, ownerUsername and Admins, and no password', async () => {
  const { userId: owner } = await api.region.createGuest('sahip')
  const { userId: admin } = await api.region.createGuest('nöbetçi')
  runSql(`update room set ownerId = ${owner} where id = 3; insert into roomAdmin (roomId, userId) values (3, ${admin})`)
  const { status, body } = await api.get('/api/rooms/3')
  expect(status).toBe(200)
  const admins = [{ id: admin, username: 'nöbetçi', avatarUrl: null, gender: null, role: 'guest' }]
  expect(body).toMatchObject({ success: true, room: { id: 3, ownerId: owner, Admins: admins }, ownerUsername: 'sahip' })
  expect(JSON.stringify(body)).not.toMatch(/passwordHash|argon/)
})

it('[ROOM-22] GET /rooms/{id}/is-admin/{userId} is true for the owner and the admins of the room', async () => {
  const [owner, admin, other] = [
    await api.region.createGuest('ev'),
    await api.region.createGuest('el'),
    await api.region.createGuest('yaban'),
  ]
  runSql(`update room set ownerId = ${owner.userId} where id = 2`)
  runSql(`insert into roomAdmin (roomId, userId) values (2, ${admin.userId})`)
  const getIsAdmin = async (roomId: number, userId: number) =>
    (await api.get(`/api/rooms/${roomId}/is-admin/${userId}`)).body
  expect(await getIsAdmin(2, owner.userId)).toEqual({ success: true, isAdmin: true })
  expect(await getIsAdmin(2, admin.userId)).toEqual({ success: true, isAdmin: true })
  expect(await getIsAdmin(2, other.userId)).toEqual({ success: true, isAdmin: false })
  expect(await getIsAdmin(1, admin.userId)).toEqual({ success: true, isAdmin: false })
  expect(await getIsAdmin(999, admin.userId)).toMatchObject({ code: 'RoomNotFound' })
})

it.each(['Meydan', 'meydan', 'MEYDAN', 'ＭＥＹＤＡＮ'])(
  '[ROOM-05] GET /rooms/get-id/%s answers with the id',
  async (name) => {
    expect((await api.get(`/api/rooms/get-id/${encodeURIComponent(name)}`)).body).toEqual({ success: true, id: 1 })
  },
)

it.each(['/api/rooms/999', '/api/rooms/get-id/yok'])('[ROOM-06] %s answers RoomNotFound', async (path) => {
  const { status, body } = await api.get(path)
  expect(status).toBe(404)
  expect(body).toEqual({ success: false, code: 'RoomNotFound', message: 'Oda bulunamadı!' })
})

it.each(['0', '-1', '1.5', '01', 'bir', '99999999999999999'])(
  '[ROOM-06] /api/rooms/%s is refused as a malformed id',
  async (id) => {
    expect((await api.get(`/api/rooms/${id}`)).body).toMatchObject({ success: false, code: 'InvalidInput', path: 'id' })
  },
)
