import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_ROOM_ADMINS } from '../../../shared/room-management/limits.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { addRoomAdminRow, runSql, setRoomOwner } from '../../testing/fixtures/test-rooms.ts'
import { commands } from './commands.ts'
import { roomManagementRoutes } from './routes.ts'

const ROOM = 2

let api: TestApi
let owner: TestUser
let admin: TestUser
let member: TestUser
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, site) => roomManagementRoutes(app, site.appContext))
  owner = await api.region.createMember('sahip')
  admin = await api.region.createMember('yardımcı')
  member = await api.region.createMember('üye')
  setRoomOwner(api.region, ROOM, owner)
})
afterEach(() => api.close())

const post = (user: TestUser, path: string, body: object) =>
  api.post(`/api/rooms/${path}`, body, { authorization: `Bearer ${user.token}` })
const add = (user: TestUser, { userId }: { userId: number }, roomId = ROOM) =>
  post(user, 'add-admin', { roomId, userId })
const remove = (user: TestUser, { userId }: { userId: number }, roomId = ROOM) =>
  post(user, 'remove-admin', { roomId, userId })

describe('naming an admin', () => {
  it('[MANAGE-03] is told to the room and to the new admin wherever they are, once, and to nobody else', async () => {
    const inRoom = await api.region.connectAs(member, ROOM)
    const elsewhere = await api.region.connectAs(admin, 1)
    const bystander = await api.region.connectAs(await api.region.createGuest('seyirci'), 1)
    const named = { id: admin.userId, username: 'yardımcı', avatarUrl: null, gender: null, role: 'member' }
    const answer = await add(owner, admin)
    expect(answer.body).toEqual({ success: true, admin: named })
    const payload = { roomId: ROOM, roomName: 'Sohbet', admin: named }
    expect(await inRoom.waitForEvent('roomAdminAdded')).toEqual(payload)
    expect(await elsewhere.waitForEvent('roomAdminAdded')).toEqual(payload)

    expect((await add(owner, admin)).body).toEqual({ success: true, admin: named })
    await remove(owner, admin)
    expect(await inRoom.waitForEvent('roomAdminRemoved')).toEqual({
      roomId: ROOM,
      roomName: 'Sohbet',
      userId: admin.userId,
    })
    await elsewhere.waitForEvent('roomAdminRemoved')
    expect([inRoom.countEvents('roomAdminAdded'), elsewhere.countEvents('roomAdminAdded')]).toEqual([1, 1])
    expect([bystander.countEvents('roomAdminAdded'), bystander.countEvents('roomAdminRemoved')]).toEqual([0, 0])
  })

  it('[MANAGE-03] is for the owner and root admins, of an active room', async () => {
    const root = await api.region.createRootAdmin('kök')
    addRoomAdminRow(api.region, ROOM, admin)
    expect((await add(root, member)).status).toBe(200)
    for (const user of [admin, member]) {
      expect((await add(user, user)).body).toMatchObject({ code: 'Forbidden' })
      expect((await remove(user, owner)).body).toMatchObject({ code: 'Forbidden' })
    }
    expect((await add(owner, member, 1)).body).toMatchObject({ code: 'Forbidden' })
    expect((await add(owner, member, 99)).body).toMatchObject({ code: 'RoomNotFound' })
    runSql(api.region, 'update room set isActive = 0 where id = ?', ROOM)
    expect((await add(owner, member)).body).toMatchObject({ code: 'RoomNotFound' })
  })

  it('[MANAGE-03] refuses guests, unknown users and the owner', async () => {
    const guest = await api.region.createGuest('uğrayan')
    expect((await add(owner, guest)).body).toMatchObject({
      code: 'Forbidden',
      message: 'Misafirler oda admini olamaz.',
    })
    expect((await add(owner, { userId: 999 })).body).toMatchObject({ code: 'NotFound' })
    expect((await add(owner, owner)).body).toMatchObject({ code: 'Forbidden' })
  })

  it(`[MANAGE-03] refuses more than ${MAX_ROOM_ADMINS} admins`, async () => {
    for (let count = 0; count < MAX_ROOM_ADMINS; count++)
      addRoomAdminRow(api.region, ROOM, await api.region.createMember(`ekip${count}`))
    expect((await add(owner, member)).body).toMatchObject({ code: 'TooManyRoomAdmins' })
  })
})

describe("an admin's rights", () => {
  it('[MANAGE-04] begin and end with the change: clearing, chat limits and is-admin', async () => {
    const client = await api.region.connectAs(admin, ROOM)
    const clear = () => client.request('clearRoomMessages', { roomId: ROOM })
    const isExempt = async () => {
      const joined = await client.request('joinRoom', { roomId: ROOM })
      return 'exempt' in joined && joined.exempt
    }
    const canWriteAtOnce = async () =>
      'success' in (await client.request('sendMessage', { roomId: ROOM, content: 'x' }))
    expect([await clear(), await isExempt(), await canWriteAtOnce()]).toEqual([
      expect.objectContaining({ code: 'Forbidden' }),
      false,
      false,
    ])
    await add(owner, admin)
    expect([await clear(), await isExempt(), await canWriteAtOnce()]).toEqual([{ success: true }, true, true])
    await remove(owner, admin)
    expect([await clear(), await isExempt(), await canWriteAtOnce()]).toEqual([
      expect.objectContaining({ code: 'Forbidden' }),
      false,
      false,
    ])
  })

  it('[MANAGE-04] are given up by the admin', async () => {
    const client = await api.region.connectAs(owner, ROOM)
    addRoomAdminRow(api.region, ROOM, admin)
    expect((await remove(admin, admin)).body).toEqual({ success: true })
    await client.waitForEvent('roomAdminRemoved')
    expect((await remove(admin, admin)).body).toEqual({ success: true })
    expect(client.countEvents('roomAdminRemoved')).toBe(1)
  })

  it('[MANAGE-04] end when the user is removed for good', async () => {
    const database = await openTestDatabase()
    const userId = database.addMember('giden')
    const other = database.addMember('kalan')
    for (const id of [userId, other])
      database.db.prepare('insert into roomAdmin (roomId, userId) values (2, ?)').run(id)
    const tx = new WriterTransaction(database.db, commands.hooks)
    tx.begin(database.clock.now)
    tx.runHooks(onUserRemoved, { userId, reason: 'accountErased' })
    expect(tx.commit().map(({ name }) => name)).toEqual(['roomAdminRemoved'])
    expect(database.db.prepare('select userId from roomAdmin').pluck().all()).toEqual([other])
    database.close()
  })
})
