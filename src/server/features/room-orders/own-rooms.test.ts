import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { roomOrderRoutes } from './routes.ts'

let api: TestApi
let owner: TestUser
let other: TestUser
let root: TestUser

beforeAll(async () => {
  api = await openTestApi({}, (app, _, site) => roomOrderRoutes(app, site.appContext))
  owner = await api.region.createMember('sahip')
  other = await api.region.createMember('başkası')
  root = await api.region.createRootAdmin('yönetici')
  const db = openForWriting(api.region.appContext.config.databaseFile)
  const insert = db.prepare(
    `insert into room (id, name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt, expiryDate)
     values (@id, 'Oda ' || cast(@id as integer), 'oda ' || cast(@id as integer), 10, @isList, @isActive, @ownerId, 0, 0, null)`,
  )
  insert.run({ id: 101, isList: 1, isActive: 1, ownerId: owner.userId })
  insert.run({ id: 102, isList: 0, isActive: 1, ownerId: owner.userId })
  insert.run({ id: 103, isList: 1, isActive: 0, ownerId: owner.userId })
  insert.run({ id: 104, isList: 1, isActive: 1, ownerId: other.userId })
  insert.run({ id: 105, isList: 0, isActive: 1, ownerId: other.userId })
  insert.run({ id: 106, isList: 1, isActive: 0, ownerId: other.userId })
  for (const id of [104, 105, 106]) db.prepare('insert into roomAdmin values (?, ?)').run(id, owner.userId)
  db.close()
})
afterAll(() => api.close())

async function read(path: string, viewer: TestUser) {
  const { status, body } = await api.get(`/api/rooms/${path}`, { authorization: `Bearer ${viewer.token}` })
  return status === 200 ? (body.rooms as OwnRoom[]).map(({ id }) => id) : body.code
}

describe('the lists of rooms', () => {
  it('[ORDER-40] give a member the rooms that they own, those that expired, and those that they are an admin of', async () => {
    expect(await read(`created-by/${owner.userId}`, owner)).toEqual([102, 101])
    expect(await read(`inactive/${owner.userId}`, owner)).toEqual([103])
    expect(await read(`admin-rooms/${owner.userId}`, owner)).toEqual([105, 104])
  })

  it('[ORDER-41] give root admins the same as the member', async () => {
    expect(await read(`created-by/${owner.userId}`, root)).toEqual([102, 101])
    expect(await read(`inactive/${owner.userId}`, root)).toEqual([103])
    expect(await read(`admin-rooms/${owner.userId}`, root)).toEqual([105, 104])
  })

  it('[ORDER-41] give others the listed rooms alone, and none of a hidden profile', async () => {
    expect(await read(`created-by/${owner.userId}`, other)).toEqual([101])
    expect(await read(`inactive/${owner.userId}`, other)).toBe('Forbidden')
    expect(await read(`admin-rooms/${owner.userId}`, other)).toBe('Forbidden')
    const db = openForWriting(api.region.appContext.config.databaseFile)
    db.prepare("update user set accountPrivacy = 'private' where id = ?").run(owner.userId)
    db.close()
    expect(await read(`created-by/${owner.userId}`, other)).toEqual([])
    expect(await read('created-by/999999', other)).toEqual([])
  })

  it('[ORDER-40] count who is in a room', async () => {
    await api.region.connectAs(other, 101)
    const { body } = await api.get(`/api/rooms/created-by/${owner.userId}`, { authorization: `Bearer ${owner.token}` })
    expect((body.rooms as OwnRoom[]).find(({ id }) => id === 101)).toEqual({
      id: 101,
      name: 'Oda 101',
      activeUsers: 1,
      capacity: 10,
      isList: true,
      isActive: true,
      ownerId: owner.userId,
      expiryDate: null,
    })
  })
})
