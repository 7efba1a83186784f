import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { MAX_SESSIONS, type OwnSession, routes } from '../../../../shared/accounts/sessions-protocol.ts'
import { CloseCode } from '../../../../shared/protocol/frame.ts'
import { sessionById, sessionsOfUser, userById } from '../../../model/accounts/queries.ts'
import { stopClock } from '../../../testing/fixtures/stop-clock.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { openTestDatabase } from '../../../testing/fixtures/test-database.ts'
import { sendHello, type TestClient, type TestUser } from '../../../testing/fixtures/test-region.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { makeRootAdmin } from '../roles/make-root-admin.ts'
import { openMemberSession } from '../sign-in/open-member-session.ts'
import { describeDevice } from './device.ts'
import { endOtherSessions, endOwnSession } from './end-own-sessions.ts'
import { endSession } from './end-session.ts'
import { sessionRoutes } from './routes.ts'

const MINUTE_MS = 60_000
const password = 'dört kuş uçtu'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, site) => sessionRoutes(app, site.appContext))
})
afterAll(() => api.close())

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

async function makeMember(username: string): Promise<void> {
  const passwordHash = String(await new PasswordHasher().hash(password))
  await api.region.appContext.execute(makeRootAdmin, null, { username, passwordHash })
}

/** Signs in with the password above from a browser with this User-Agent. */
async function login(username: string, agent: string): Promise<TestUser & { cookie: string }> {
  const headers = { 'user-agent': agent }
  const answer = await api.post(
    '/api/users/login',
    { username, password, browserId: 'b', lastLoginPlatform: 'web' },
    headers,
  )
  return toTestUser(answer)
}

function toTestUser({ status, body, cookie }: ApiResponse): TestUser & { cookie: string } {
  expect(status).toBe(200)
  const { token, user } = body as { token: string; user: { id: number; username: string } } // the answer of the login route
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return { userId: user.id, sessionId: sid, username: user.username, token, cookie: cookie ?? '' }
}

async function sessionsOf(user: { token: string }): Promise<OwnSession[]> {
  const { status, body } = await api.get('/api/users/sessions', bearer(user))
  expect(status).toBe(200)
  return v.parse(routes.sessions.answer, body).sessions
}

const requestEndSession = (user: { token: string }, sessionId: unknown) =>
  api.post('/api/users/sessions/end', { sessionId } as object, bearer(user))
const requestEndOtherSessions = (user: { token: string }) =>
  api.post('/api/users/sessions/end-others', {}, bearer(user))

async function connect(user: TestUser): Promise<TestClient> {
  const client = api.region.openConnection()
  expect(await sendHello(client, user)).toMatchObject({ user: { id: user.userId } })
  return client
}

describe('GET /users/sessions', () => {
  it('[ACC-50] [ACC-52] lists the actor’s sessions, the current one first, and marks the connected ones', async () => {
    await makeMember('Listeli')
    const [first, second, third] = [
      await login('Listeli', chrome),
      await login('Listeli', firefox),
      await login('Listeli', '<b>hiç</b>'),
    ]
    await login('Listeli', chrome)
    await api.region.appContext.execute(endSession, third, {})
    const client = await connect(second)

    const listed = await sessionsOf(first)
    expect(listed.map(({ id }) => id).slice(0, 1)).toEqual([first.sessionId])
    expect(listed.map(({ device }) => device).sort()).toEqual(['Chrome, Windows', 'Chrome, Windows', 'Firefox, Linux'])
    expect(listed.filter(({ isCurrent }) => isCurrent).map(({ id }) => id)).toEqual([first.sessionId])
    expect(listed.filter(({ isConnected }) => isConnected).map(({ id }) => id)).toEqual([second.sessionId])
    // A single-node site reports no region.
    expect(new Set(listed.map(({ region }) => region))).toEqual(new Set([null]))
    client.disconnect()
  })

  it('[ACC-50] lists only a guest’s one session, and refuses a request without a token', async () => {
    const guest = toTestUser(
      await api.post('/api/users/guest-login', { username: 'Yalnız' }, { 'user-agent': firefox }),
    )
    expect(await sessionsOf(guest)).toEqual([
      {
        id: guest.sessionId,
        device: 'Firefox, Linux',
        platform: 'web',
        region: null,
        createdAt: expect.any(Number),
        lastSeenAt: expect.any(Number),
        isCurrent: true,
        isConnected: false,
      },
    ])
    expect((await api.get('/api/users/sessions')).body).toMatchObject({ code: 'NotSignedIn' })
    expect((await api.get('/api/users/sessions', { cookie: guest.cookie })).body).toMatchObject({ code: 'NotSignedIn' })
  })

  it('[ACC-52] shows device and region stored by every sign-in, and sessions that have neither', async () => {
    await makeMember('Kayıtlı')
    const member = await login('Kayıtlı', chrome)
    const guest = toTestUser(
      await api.post('/api/users/guest-login', { username: 'Geçerken' }, { 'user-agent': chrome }),
    )
    const { region } = api.region.appContext.config
    for (const { sessionId } of [member, guest]) {
      const row = api.region.appContext.reader.get(sessionById, { id: sessionId })
      expect(row).toMatchObject({ device: describeDevice(chrome), region })
    }
    const old = await api.region.createGuest('Eskiden')
    expect(await sessionsOf(old)).toMatchObject([{ device: 'Bilinmeyen cihaz', region: null }])
  })

  it('[ACC-53] reports the last use, written by a refresh and a hello at most every ten minutes', async () => {
    await makeMember('Gidip')
    const [current, other] = [await login('Gidip', chrome), await login('Gidip', firefox)]
    const readLastSeen = async () =>
      (await sessionsOf(current)).find(({ id }) => id === other.sessionId)?.lastSeenAt ?? 0
    const initial = await readLastSeen()
    const refresh = () => api.post('/api/users/refresh-token', {}, bearer(other))
    try {
      // The offset moves the clock that decides on a write, not the writer's own: a write stores the present time.
      api.region.clockOffset.aheadMs = 9 * MINUTE_MS
      await refresh()
      await connect(other)
      expect(await readLastSeen()).toBe(initial)
      api.region.clockOffset.aheadMs = 11 * MINUTE_MS
      await refresh()
      const refreshed = await readLastSeen()
      expect(refreshed).toBeGreaterThan(initial)
      while (Date.now() <= refreshed) await new Promise(setImmediate)
      await connect(other)
      await expect.poll(readLastSeen).toBeGreaterThan(refreshed)
    } finally {
      api.region.clockOffset.aheadMs = 0
    }
  })

  it('[ACC-53] updates the last use of a session whose connection stays open', async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const [online, offline] = [db.addMember('Duran'), db.addMember('Gitmiş')]
    const readLastSeen = (id: number) => db.read.get(sessionById, { id })?.lastSeenAt
    const initial = db.clock.now
    const touchUsers = () => db.run({ command: 'touchUsers', input: { userIds: [online], sessionIds: [online] } })
    db.clock.now += 4 * MINUTE_MS
    touchUsers()
    expect(readLastSeen(online)).toBe(initial)
    db.clock.now += 2 * MINUTE_MS
    touchUsers()
    expect([readLastSeen(online), readLastSeen(offline)]).toEqual([db.clock.now, initial])
    const { appContext } = api.region
    const guest = await api.region.createGuest('Bağlı')
    await connect(guest)
    expect(appContext.presence.onlineSessionIds()).toContain(guest.sessionId)
  })
})

describe('POST /users/sessions/end', () => {
  it('[ACC-54] ends one of the actor’s sessions and closes its connections, and no other connection gets an event', async () => {
    await makeMember('Bitiren')
    const [current, other, third] = [
      await login('Bitiren', chrome),
      await login('Bitiren', firefox),
      await login('Bitiren', chrome),
    ]
    const bystander = await api.region.connectAs(await api.region.createGuest('Bakan'), 1)
    const [client, thirdClient] = [await connect(other), await connect(third)]

    expect((await requestEndSession(current, other.sessionId)).body).toEqual({ success: true })
    expect(await client.waitForEvent('forceDisconnect')).toEqual({
      message: 'Bu oturum başka bir cihazından kapatıldı.',
    })
    expect(client.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect((await sessionsOf(current)).map(({ id }) => id).sort()).toEqual([current.sessionId, third.sessionId].sort())
    expect((await requestEndSession(current, other.sessionId)).body).toMatchObject({
      code: 'NotFound',
      message: 'Oturum bulunamadı.',
    })
    expect([thirdClient.countEvents('forceDisconnect'), bystander.countEvents('forceDisconnect')]).toEqual([0, 0])
  })

  it('[ACC-54] answers another user’s session id like an unknown one, and refuses malformed ids', async () => {
    await makeMember('Saldırgan')
    await makeMember('Kurban')
    const [attacker, victim] = [await login('Saldırgan', chrome), await login('Kurban', firefox)]
    const client = await connect(victim)
    const [foreign, unknown] = [
      await requestEndSession(attacker, victim.sessionId),
      await requestEndSession(attacker, 2 ** 40),
    ]
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(unknown.body)
    for (const sessionId of [0, -1, 1.5, 2 ** 60, '7', null, [victim.sessionId], { id: 1 }, 'x'.repeat(10_000)]) {
      expect((await requestEndSession(attacker, sessionId)).body, String(sessionId).slice(0, 20)).toMatchObject({
        code: 'InvalidInput',
      })
    }
    expect(await sessionsOf(victim)).toHaveLength(1)
    expect(client.countEvents('forceDisconnect')).toBe(0)
  })

  it('[ACC-54] [ACC-55] ends all other sessions and returns how many ended', async () => {
    await makeMember('Temizlikçi')
    const current = await login('Temizlikçi', chrome)
    expect((await requestEndOtherSessions(current)).body).toEqual({ success: true, ended: 0 })
    const others = [await login('Temizlikçi', firefox), await login('Temizlikçi', chrome)]
    const own = await connect(current)
    const clients = await Promise.all(others.map(connect))
    const bystander = await api.region.connectAs(await api.region.createGuest('Bakınan'), 1)

    expect((await requestEndOtherSessions(current)).body).toEqual({ success: true, ended: 2 })
    for (const client of clients) await client.waitForEvent('forceDisconnect')
    expect((await sessionsOf(current)).map(({ id }) => id)).toEqual([current.sessionId])
    expect([own.countEvents('forceDisconnect'), bystander.countEvents('forceDisconnect')]).toEqual([0, 0])
    for (const { token, cookie } of others) {
      expect((await requestEndOtherSessions({ token })).body).toMatchObject({ code: 'SessionEnded' })
      expect((await api.get('/page', { cookie })).body).toEqual({ nobody: true })
    }
    expect((await api.get('/page', { cookie: current.cookie })).body).toMatchObject({ person: { id: current.userId } })
  })

  it('[ACC-54] refuses an actor whose session has ended, in the command itself', async () => {
    const guest = await api.region.createGuest('Giden')
    const actor = { ...guest, role: 'guest' as const }
    await api.region.appContext.execute(endSession, actor, {})
    const { execute } = api.region.appContext
    const ended = { body: { code: 'SessionEnded' } }
    expect(await execute(endOwnSession, actor, { sessionId: guest.sessionId })).toMatchObject(ended)
    expect(await execute(endOtherSessions, actor, {})).toMatchObject(ended)
  })
})

describe('the limit of sessions per user', () => {
  it('[ACC-65] ends only the session unused for longest when one more is opened', async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const userId = db.addMember('Çoklu')
    const other = db.addMember('Komşu')
    db.db.prepare("update user set passwordHash = 'x'").run()
    const openSession = () => {
      db.clock.now += 1000
      const result = db.run({
        command: 'openMemberSession',
        input: { userId, passwordHash: 'x', platform: 'web' },
      })
      return (result.answer as { sessionId: number }).sessionId // the answer of openMemberSession
    }
    const opened = Array.from({ length: MAX_SESSIONS - 1 }, openSession)
    const remaining = () => db.read.all(sessionsOfUser, { userId }).map(({ id }) => id)
    expect(remaining()).toEqual([...opened.toReversed(), userId])
    // The oldest session is in use, so the second oldest ends.
    db.clock.now += 6 * MINUTE_MS
    db.run({ command: 'touchUsers', input: { userIds: [userId], sessionIds: [userId] } })
    const latest = openSession()
    expect(remaining()).toEqual([latest, userId, ...opened.slice(1).toReversed()])
    expect(db.read.get(sessionById, { id: other })).toMatchObject({ userId: other })
  })

  it('[ACC-65] [ACC-55] closes the connections of the ended session with the reason and refuses its tokens', async () => {
    await makeMember('Sınırda')
    const oldest = await login('Sınırda', chrome)
    const { lastSeenAt = 0 } = api.region.appContext.reader.get(sessionById, { id: oldest.sessionId }) ?? {}
    await expect.poll(() => api.region.appContext.clock()).toBeGreaterThan(lastSeenAt)
    const next = await login('Sınırda', firefox)
    const [client, nextClient] = [await connect(oldest), await connect(next)]
    const { passwordHash } = api.region.appContext.reader.get(userById, { id: oldest.userId }) ?? {}
    const input = { userId: oldest.userId, passwordHash: passwordHash ?? '', platform: 'web' as const }
    for (let count = 2; count <= MAX_SESSIONS; count++)
      await api.region.appContext.execute(openMemberSession, null, input)
    expect(await client.waitForEvent('forceDisconnect')).toEqual({
      message: 'Çok fazla yerde oturum açtın. En uzun süredir kullanılmayan bu oturum kapatıldı.',
    })
    expect(client.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect((await api.get('/api/users/sessions', bearer(oldest))).body).toMatchObject({ code: 'SessionEnded' })
    expect(await sessionsOf(next)).toHaveLength(MAX_SESSIONS)
    expect(nextClient.countEvents('forceDisconnect')).toBe(0)
  })
})

it('[ACC-71] refuses the 61st end of sessions, and stores no answer for it', async () => {
  stopClock()
  const limited = await openTestApi({}, (app, _, site) => sessionRoutes(app, site.appContext))
  onTestFinished(() => limited.close())
  const user = await limited.region.createGuest('Israrcı')
  const end = () =>
    limited.post('/api/users/sessions/end-others', {}, { ...bearer(user), 'idempotency-key': randomUUID() })
  const storedAnswers = () =>
    limited.region.appContext.reader.all({ sql: 'select clientId from commandAnswer', bind: () => [] })
  for (let n = 0; n < 60; n++) expect((await end()).status).toBe(200)
  expect(await end()).toMatchObject({ status: 429, body: { code: 'RateLimited' } })
  expect(storedAnswers()).toHaveLength(60)
})
