import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authentication } from '../../kernel/http/authentication.ts'
import { SECOND_MS } from '../../kernel/operations/jobs.ts'
import { listVisitors } from '../../model/rooms/management-queries.ts'
import { runJobs } from '../../testing/fixtures/run-jobs.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { ghostBanGuest } from '../moderation/ghost-ban-guest.ts'
import { loadRoomPage } from '../rooms/pages.ts'
import { roomRoutes } from '../rooms/routes.ts'
import { listAllUsers } from './routes.ts'

const ROOM = 1

let api: TestApi
let [root, ghost, other]: TestUser[] = []
let clients: { ghost: TestClient; other: TestClient }
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, site) => roomRoutes(app, site.appContext))
  root = await api.region.createRootAdmin('kök')
  ghost = await api.region.createGuest('hayal')
  other = await api.region.createGuest('öteki')
  clients = { ghost: await api.region.connectAs(ghost, ROOM), other: await api.region.connectAs(other, ROOM) }
  await clients.other.waitForEvent('user-joined')
})
afterEach(() => api.close())

const userOf = (name: keyof typeof clients): TestUser => (name === 'ghost' ? ghost : other) ?? expect.unreachable()
const execute: TestApi['region']['appContext']['execute'] = (...args) => api.region.appContext.execute(...args)

async function banGhost(): Promise<void> {
  const banned = await execute(ghostBanGuest, root ?? null, { username: 'hayal', duration: '10min' })
  expect(banned).toMatchObject({ success: true })
  await clients.other.waitForEvent('user-left')
}

/** What a user reads of the room and of the rooms, over the connection, by HTTP and in the page. */
async function readRoom(name: keyof typeof clients) {
  const [client, user] = [clients[name], userOf(name)]
  const ask = async (path: string) => (await api.get(path, { authorization: `Bearer ${user.token}` })).body as never
  const { actor, person } = sessionOf(user)
  const page = loadRoomPage(api.region.appContext, ROOM, { actor, person, token: user.token })
  const countIn = (rooms: { id: number; activeUsers: number }[]) => rooms.find(({ id }) => id === ROOM)?.activeUsers
  const found = (await client.request('getRoomUsers', { roomId: ROOM })) as { users: { username: string }[] }
  const rooms = (await client.request('getRooms', {})) as { rooms: [] }
  const joined = (await client.request('joinRoom', { roomId: ROOM })) as { room: { activeUsers: number } }
  const status = (await client.request('getStatus', {})) as { activeUsers: number }
  const route: { room: { activeUsers: number } } = await ask(`/api/rooms/${ROOM}`)
  return {
    users: found.users.map(({ username }) => username),
    counts: [
      ...[countIn(rooms.rooms), joined.room.activeUsers, status.activeUsers, route.room.activeUsers],
      countIn(await ask('/api/rooms')),
      ...('users' in page ? [page.users.length, page.total, page.onlineCount, countIn([...page.rooms])] : []),
    ],
  }
}

function sessionOf({ userId, sessionId }: TestUser) {
  const sessions = api.region.appContext.service(authentication)
  const actor = { userId, sessionId, role: 'guest' as const }
  const found = sessions.findSessionUser(api.region.appContext.reader, actor)
  return { actor, person: found?.person ?? expect.unreachable() }
}

describe('a ghost-banned guest', () => {
  it('[GHOSTP-03] counts in no answer and no page of others, and in all of their own', async () => {
    const before = { users: ['hayal', 'öteki'], counts: Array(9).fill(2) }
    expect([await readRoom('ghost'), await readRoom('other')]).toEqual([before, before])
    await banGhost()
    expect(await readRoom('ghost')).toEqual(before)
    // The window of the site may end later than that of the room.
    const after = { users: ['öteki'], counts: Array(9).fill(1) }
    await vi.waitFor(async () => expect(await readRoom('other')).toEqual(after), { interval: 100, timeout: 3_000 })
    clients.ghost.disconnect()
    clients.ghost = await api.region.connectAs(userOf('ghost'), ROOM)
    const { userId } = userOf('ghost')
    await clients.ghost.waitForEvent('users-in-room', ({ users }) =>
      (users as { id: number }[]).some(({ id }) => id === userId),
    )
    expect(await readRoom('ghost')).toEqual(before)
    expect(await readRoom('other')).toEqual(after)
  })

  it('[GHOSTP-08] leaves no visit of a room', async () => {
    const { appContext } = api.region
    await banGhost()
    await clients.ghost.request('joinRoom', { roomId: 2 })
    await clients.other.request('joinRoom', { roomId: 2 })
    await runJobs(api.region, 5 * SECOND_MS)
    const { visitors } = listVisitors(appContext.reader, 2)
    expect(visitors.map(({ username }) => username)).toEqual(['öteki'])
  })

  it('[GHOSTP-04] is marked in the list of all users, as online', async () => {
    await banGhost()
    const { users } = await listAllUsers(api.region.appContext, {})
    expect(users.find(({ username }) => username === 'hayal')).toMatchObject({ isOnline: true, isGhost: true })
    expect(users.filter(({ username }) => username !== 'hayal').map(({ isGhost }) => isGhost)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('[GHOSTP-06] is hidden after a restart of the region', async () => {
    await banGhost()
    await api.region.restart()
    expect(api.region.appContext.presence.isGhost(userOf('ghost').userId)).toBe(true)
    clients.other = await api.region.connectAs(userOf('other'), ROOM)
    clients.ghost = await api.region.connectAs(userOf('ghost'), ROOM)
    const { presence } = api.region.appContext
    const [{ actor }, { actor: ghostActor }] = [sessionOf(userOf('other')), sessionOf(userOf('ghost'))]
    expect([presence.roomCount(ROOM, actor), presence.roomCount(ROOM, ghostActor)]).toEqual([1, 2])
    await clients.ghost.waitForEvent('users-in-room')
    expect(JSON.stringify(clients.other.transport.received)).not.toContain('hayal')
  })
})
