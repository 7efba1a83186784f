import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { MAX_SESSIONS, type OwnSession, routes } from '../../../shared/accounts/sessions-protocol.ts'
import { CloseCode } from '../../../shared/protocol/frame.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import { sendHello, type TestClient, type TestUser } from '../../testing/fixtures/test-region.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { sessionById, sessionsOfUser, userById } from '../queries.ts'
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

/** Signs in as one who has that password, from that browser. */
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
  const { token, user } = body as { token: string; user: { id: number; username: string } } // the contract of the route
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return { userId: user.id, sessionId: sid, username: user.username, token, cookie: cookie ?? '' }
}

async function sessionsOf(person: { token: string }): Promise<OwnSession[]> {
  const { status, body } = await api.get('/api/users/sessions', bearer(person))
  expect(status).toBe(200)
  return v.parse(routes.sessions.answer, body).sessions
}

const requestEndSession = (person: { token: string }, sessionId: unknown) =>
  api.post('/api/users/sessions/end', { sessionId } as object, bearer(person))
const requestEndOtherSessions = (person: { token: string }) =>
  api.post('/api/users/sessions/end-others', {}, bearer(person))

async function connect(person: TestUser): Promise<TestClient> {
  const client = api.region.openConnection()
  expect(await sendHello(client, person)).toMatchObject({ user: { id: person.userId } })
  return client
}

describe('the list of sessions', () => {
  it('[ACC-50] [ACC-52] has those of whoever asks: the asking one first, then the one seen last', async () => {
    await makeMember('Listeli')
    const [first, second, third] = [
      await login('Listeli', chrome),
      await login('Listeli', firefox),
      await login('Listeli', '<b>hiç</b>'),
    ]
    await login('Listeli', chrome)
    await api.region.appContext.execute(endSession, third, {})
    const line = await connect(second)

    const listed = await sessionsOf(first)
    expect(listed.map(({ id }) => id).slice(0, 1)).toEqual([first.sessionId])
    expect(listed.map(({ device }) => device).sort()).toEqual(['Chrome, Windows', 'Chrome, Windows', 'Firefox, Linux'])
    expect(listed.filter(({ isCurrent }) => isCurrent).map(({ id }) => id)).toEqual([first.sessionId])
    expect(listed.filter(({ isConnected }) => isConnected).map(({ id }) => id)).toEqual([second.sessionId])
    // One region alone is no news.
    expect(new Set(listed.map(({ region }) => region))).toEqual(new Set([null]))
    line.disconnect()
  })

  it('[ACC-50] has nobody else’s, and a guest’s one alone', async () => {
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

  it('[ACC-52] every way in keeps the device and the region, and an older session without them is shown', async () => {
    await makeMember('Kayıtlı')
    const member = await login('Kayıtlı', chrome)
    const guest = toTestUser(
      await api.post('/api/users/guest-login', { username: 'Geçerken' }, { 'user-agent': chrome }),
    )
    const { region } = api.region.appContext.settings
    for (const { sessionId } of [member, guest]) {
      const row = api.region.appContext.reader.get(sessionById, { id: sessionId })
      expect(row).toMatchObject({ device: describeDevice(chrome), region })
    }
    const old = await api.region.createGuest('Eskiden')
    expect(await sessionsOf(old)).toMatchObject([{ device: 'Bilinmeyen cihaz', region: null }])
  })

  it('[ACC-53] says when each was used last: noted by a refresh and a hello, once in ten minutes', async () => {
    await makeMember('Gidip')
    const [asking, other] = [await login('Gidip', chrome), await login('Gidip', firefox)]
    const seen = async () => (await sessionsOf(asking)).find(({ id }) => id === other.sessionId)?.lastSeenAt ?? 0
    const begun = await seen()
    const refresh = () => api.post('/api/users/refresh-token', {}, bearer(other))
    try {
      // What reads is ahead of what writes: a note that is taken now is of now.
      api.region.clockOffset.aheadMs = 9 * MINUTE_MS
      await refresh()
      await connect(other)
      expect(await seen()).toBe(begun)
      api.region.clockOffset.aheadMs = 11 * MINUTE_MS
      await refresh()
      const refreshed = await seen()
      expect(refreshed).toBeGreaterThan(begun)
      while (Date.now() <= refreshed) await new Promise(setImmediate)
      await connect(other)
      await expect.poll(seen).toBeGreaterThan(refreshed)
    } finally {
      api.region.clockOffset.aheadMs = 0
    }
  })

  it('[ACC-53] a line that stays open keeps its session seen', async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const [here, gone] = [db.addMember('Duran'), db.addMember('Gitmiş')]
    const seen = (id: number) => db.read.get(sessionById, { id })?.lastSeenAt
    const begun = db.clock.now
    const chore = () => db.run({ command: 'touchUsers', input: { userIds: [here], sessionIds: [here] } })
    db.clock.now += 4 * MINUTE_MS
    chore()
    expect(seen(here)).toBe(begun)
    db.clock.now += 2 * MINUTE_MS
    chore()
    expect([seen(here), seen(gone)]).toEqual([db.clock.now, begun])
    const { appContext } = api.region
    const guest = await api.region.createGuest('Bağlı')
    await connect(guest)
    expect(appContext.presence.onlineSessionIds()).toContain(guest.sessionId)
  })
})

describe('ending a session', () => {
  it('[ACC-54] ends that one of one’s own: its lines close with the reason, and the others hear nothing', async () => {
    await makeMember('Bitiren')
    const [asking, other, third] = [
      await login('Bitiren', chrome),
      await login('Bitiren', firefox),
      await login('Bitiren', chrome),
    ]
    const bystander = await api.region.connectAs(await api.region.createGuest('Bakan'), 1)
    const [line, ofThird] = [await connect(other), await connect(third)]

    expect((await requestEndSession(asking, other.sessionId)).body).toEqual({ success: true })
    expect(await line.waitForEvent('forceDisconnect')).toEqual({
      message: 'Bu oturum başka bir cihazınızdan kapatıldı.',
    })
    expect(line.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect((await sessionsOf(asking)).map(({ id }) => id).sort()).toEqual([asking.sessionId, third.sessionId].sort())
    expect((await requestEndSession(asking, other.sessionId)).body).toMatchObject({
      code: 'NotFound',
      message: 'Oturum bulunamadı.',
    })
    expect([ofThird.countEvents('forceDisconnect'), bystander.countEvents('forceDisconnect')]).toEqual([0, 0])
  })

  it('[ACC-54] of somebody else is as unknown as one that never was', async () => {
    await makeMember('Saldırgan')
    await makeMember('Kurban')
    const [attacker, victim] = [await login('Saldırgan', chrome), await login('Kurban', firefox)]
    const line = await connect(victim)
    const [tried, unknown] = [
      await requestEndSession(attacker, victim.sessionId),
      await requestEndSession(attacker, 2 ** 40),
    ]
    expect(tried.status).toBe(404)
    expect(tried.body).toEqual(unknown.body)
    for (const sessionId of [0, -1, 1.5, 2 ** 60, '7', null, [victim.sessionId], { id: 1 }, 'x'.repeat(10_000)]) {
      expect((await requestEndSession(attacker, sessionId)).body, String(sessionId).slice(0, 20)).toMatchObject({
        code: 'InvalidInput',
      })
    }
    expect(await sessionsOf(victim)).toHaveLength(1)
    expect(line.countEvents('forceDisconnect')).toBe(0)
  })

  it('[ACC-54] [ACC-55] ends all others at once, and says how many those were', async () => {
    await makeMember('Temizlikçi')
    const asking = await login('Temizlikçi', chrome)
    expect((await requestEndOtherSessions(asking)).body).toEqual({ success: true, ended: 0 })
    const others = [await login('Temizlikçi', firefox), await login('Temizlikçi', chrome)]
    const own = await connect(asking)
    const lines = await Promise.all(others.map(connect))
    const bystander = await api.region.connectAs(await api.region.createGuest('Bakınan'), 1)

    expect((await requestEndOtherSessions(asking)).body).toEqual({ success: true, ended: 2 })
    for (const line of lines) await line.waitForEvent('forceDisconnect')
    expect((await sessionsOf(asking)).map(({ id }) => id)).toEqual([asking.sessionId])
    expect([own.countEvents('forceDisconnect'), bystander.countEvents('forceDisconnect')]).toEqual([0, 0])
    for (const { token, cookie } of others) {
      expect((await requestEndOtherSessions({ token })).body).toMatchObject({ code: 'SessionEnded' })
      expect((await api.get('/page', { cookie })).body).toEqual({ nobody: true })
    }
    expect((await api.get('/page', { cookie: asking.cookie })).body).toMatchObject({ person: { id: asking.userId } })
  })

  it('[ACC-54] is nobody’s who has no session any more, even within the command', async () => {
    const guest = await api.region.createGuest('Giden')
    const actor = { ...guest, role: 'guest' as const }
    await api.region.appContext.execute(endSession, actor, {})
    const { execute } = api.region.appContext
    const ended = { body: { code: 'SessionEnded' } }
    expect(await execute(endOwnSession, actor, { sessionId: guest.sessionId })).toMatchObject(ended)
    expect(await execute(endOtherSessions, actor, {})).toMatchObject(ended)
  })
})

describe('one session more than may be', () => {
  it('[ACC-65] ends the one that was not seen for longest, and no other', async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const userId = db.addMember('Çoklu')
    const other = db.addMember('Komşu')
    db.db.prepare("update user set passwordHash = 'x'").run()
    const enter = () => {
      db.clock.now += 1000
      const done = db.run({
        command: 'openMemberSession',
        input: { userId, passwordHash: 'x', browserId: null, platform: 'web' },
      })
      return (done.answer as { sessionId: number }).sessionId // what the command answers
    }
    const opened = Array.from({ length: MAX_SESSIONS - 1 }, enter)
    const left = () => db.read.all(sessionsOfUser, { userId }).map(({ id }) => id)
    expect(left()).toEqual([...opened.toReversed(), userId])
    // The oldest is in use, so that the next one is the one to go.
    db.clock.now += 6 * MINUTE_MS
    db.run({ command: 'touchUsers', input: { userIds: [userId], sessionIds: [userId] } })
    const latest = enter()
    expect(left()).toEqual([latest, userId, ...opened.slice(1).toReversed()])
    expect(db.read.get(sessionById, { id: other })).toMatchObject({ userId: other })
  })

  it('[ACC-65] [ACC-55] is told to its lines as when it is ended from the list, and its tokens open nothing', async () => {
    await makeMember('Sınırda')
    const oldest = await login('Sınırda', chrome)
    const { lastSeenAt = 0 } = api.region.appContext.reader.get(sessionById, { id: oldest.sessionId }) ?? {}
    await expect.poll(() => api.region.appContext.clock()).toBeGreaterThan(lastSeenAt)
    const next = await login('Sınırda', firefox)
    const [line, ofNext] = [await connect(oldest), await connect(next)]
    const { passwordHash } = api.region.appContext.reader.get(userById, { id: oldest.userId }) ?? {}
    const entry = { userId: oldest.userId, passwordHash: passwordHash ?? '', browserId: null, platform: 'web' as const }
    for (let count = 2; count <= MAX_SESSIONS; count++)
      await api.region.appContext.execute(openMemberSession, null, entry)
    expect(await line.waitForEvent('forceDisconnect')).toEqual({
      message: 'Çok fazla yerde oturum açtınız. En uzun süredir kullanılmayan bu oturum kapatıldı.',
    })
    expect(line.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect((await api.get('/api/users/sessions', bearer(oldest))).body).toMatchObject({ code: 'SessionEnded' })
    expect(await sessionsOf(next)).toHaveLength(MAX_SESSIONS)
    expect(ofNext.countEvents('forceDisconnect')).toBe(0)
  })
})
