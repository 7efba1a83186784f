import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_KEPT_VISITS, VISIT_RETENTION_MS, VISITORS_PER_PAGE } from '../../../shared/room-management/limits.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { WriterTransaction } from '../../kernel/database/transaction.ts'
import { SECOND_MS } from '../../kernel/operations/jobs.ts'
import { onUserRemoved } from '../../model/sessions/transactions.ts'
import { createOwnedRoom, type OwnedRoom } from '../../testing/fixtures/owned-room.ts'
import { runJobs } from '../../testing/fixtures/run-jobs.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { commands } from './commands.ts'
import { recordRoomVisits } from './record-room-visits.ts'
import { roomManagementRoutes } from './routes.ts'
import { trimRoomRecords } from './trim-room-records.ts'

let api: TestApi
let room: OwnedRoom
beforeEach(async () => {
  const env = { MEYDAN_LIMIT_SCALE: '1000' }
  api = await openTestApi(env, (app, _, site) => roomManagementRoutes(app, site.appContext))
  room = await createOwnedRoom(api.region)
})
afterEach(() => api.close())

/** Stores the visits that were gathered. */
const flush = () => runJobs(api.region, 5 * SECOND_MS)
const list = (user: TestUser, before = '') =>
  api.get(`/api/rooms/${room.roomId}/visitors${before && `?before=${before}`}`, {
    authorization: `Bearer ${user.token}`,
  })
async function visitorNames(): Promise<string[]> {
  await flush()
  const { visitors } = (await list(room.owner)).body as { visitors: { username: string }[] } // the route's schema
  return visitors.map(({ username }) => username)
}
const record = (visits: { roomId: number; userId: number; visitedAt: number }[]) =>
  api.region.appContext.execute(recordRoomVisits, null, { visits })

describe('who has been in a room', () => {
  it('[MANAGE-11] is listed with guests, the latest first, for its staff only', async () => {
    await api.region.connectAs(room.member, room.roomId)
    api.region.clockOffset.aheadMs += 1_000
    const guest = await api.region.connectAs(room.guest, room.roomId)
    guest.disconnect()
    await api.region.connectAs(room.premium, 1)
    expect(await visitorNames()).toEqual([room.guest.username, room.member.username])
    for (const user of [room.owner, room.admin, room.root]) expect((await list(user)).status).toBe(200)
    for (const user of [room.member, room.premium, room.guest])
      expect((await list(user)).body).toMatchObject({ code: 'Forbidden' })
    const { roomId } = room
    room.roomId = 1
    expect((await list(room.owner)).body).toMatchObject({ code: 'Forbidden' })
    room.roomId = 999
    expect((await list(room.owner)).body).toMatchObject({ code: 'RoomNotFound' })
    room.roomId = roomId
  })

  it('[MANAGE-11] has one row for each user, written once in ten minutes', async () => {
    const { appContext } = api.region
    const cursor = appContext.reader.cursor()
    const client = await api.region.connectAs(room.member, room.roomId)
    await flush()
    const { visitors: first } = (await list(room.owner)).body
    api.region.clockOffset.aheadMs += 60_000
    await client.request('joinRoom', { roomId: 1 })
    await client.request('joinRoom', { roomId: room.roomId })
    await flush()
    expect((await list(room.owner)).body.visitors).toEqual(first)
    expect(appContext.reader.cursor()).toBe(cursor)
  })

  it('[MANAGE-11] is bounded in number and age, and paged', async () => {
    const now = api.region.appContext.clock()
    const db = api.region.appContext.config.databaseFile
    const userIds = addUsers(db, MAX_KEPT_VISITS + 20)
    await record(userIds.map((userId, index) => ({ roomId: room.roomId, userId, visitedAt: now - index * 1_000 })))
    const seen: number[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page = (await list(room.owner, next)).body as { visitors: { id: number }[]; next: string | null }
      expect(page.visitors.length).toBeLessThanOrEqual(VISITORS_PER_PAGE)
      seen.push(...page.visitors.map(({ id }) => id))
      next = page.next
    }
    expect(seen).toEqual(userIds.slice(0, MAX_KEPT_VISITS))
    await record([{ roomId: 2, userId: room.member.userId, visitedAt: now - VISIT_RETENTION_MS - 60_000 }])
    expect(await api.region.appContext.execute(trimRoomRecords, null, {})).toEqual({ removed: 1 })
  })

  it('[MANAGE-11] ignores rooms and users that do not exist', async () => {
    const visitedAt = api.region.appContext.clock()
    const visits = [
      { roomId: 999, userId: room.member.userId, visitedAt },
      { roomId: room.roomId, userId: 999_999, visitedAt },
    ]
    expect(await record(visits)).toEqual({ recorded: 0 })
  })

  it('[MANAGE-11] forgets an erased account, not a guest who has gone', async () => {
    const database = await openTestDatabase()
    const [erased, gone] = [database.addMember('silinen'), database.addMember('giden')]
    for (const userId of [erased, gone])
      database.db.prepare('insert into roomVisit (roomId, userId, visitedAt) values (2, ?, 1)').run(userId)
    const tx = new WriterTransaction(database.db, commands.hooks)
    tx.begin(database.clock.now)
    tx.runHooks(onUserRemoved, { userId: erased, reason: 'accountErased' })
    tx.runHooks(onUserRemoved, { userId: gone, reason: 'guestNameReleased' })
    tx.commit()
    expect(database.db.prepare('select userId from roomVisit').pluck().all()).toEqual([gone])
    database.close()
  })
})

/** Adds users by SQL, which is faster than registering them. */
function addUsers(databaseFile: string, count: number): number[] {
  const db = openForWriting(databaseFile)
  const insert = db.prepare(
    "insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt) values (?, ?, 0, 'member', 'web', 0, 0)",
  )
  const ids = Array.from({ length: count }, (_, index) =>
    Number(insert.run(`uğrak${index}`, `ugrak${index}`).lastInsertRowid),
  )
  db.close()
  return ids
}
