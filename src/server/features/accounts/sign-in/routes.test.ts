import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SignedIn } from '../../../../shared/accounts/protocol.ts'
import { PRIVACY_DEFAULTS } from '../../../../shared/settings/rules.ts'
import { type ApiResponse, openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { sendHello } from '../../../testing/fixtures/test-region.ts'
import { PasswordHasher } from '../passwords/password-hasher.ts'
import { makeRootAdmin } from '../roles/make-root-admin.ts'
import { signToken, verifyToken } from '../tokens/tokens.ts'

const HOUR_MS = 60 * 60 * 1000
const LOGIN_FAILED = 'Giriş başarısız. Lütfen tekrar deneyin.'
const password = 'dört kuş uçtu'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` })
const guest = (username: string, more: object = {}, headers = {}) =>
  api.post('/api/users/guest-login', { username, ...more }, headers)
const login = (username: string, secret: string) => api.post('/api/users/login', { username, password: secret })
const refresh = (headers: Record<string, string>) => api.post('/api/users/refresh-token', {}, headers)
const logOut = (headers: Record<string, string>) => api.post('/api/users/logout', {}, headers)

/** Creates a root admin with the password above. */
async function makeAdmin(username: string): Promise<void> {
  const passwordHash = String(await new PasswordHasher().hash(password))
  await api.region.appContext.execute(makeRootAdmin, null, { username, passwordHash })
}

/** The session of a sign-in answer, whose schema is checked. */
function sessionOf({ body, cookie }: ApiResponse): { token: string; cookie: string; id: number } {
  const { token, user } = v.parse(SignedIn, body)
  return { token, cookie: cookie ?? '', id: user.id }
}

async function isLive(token: string): Promise<boolean> {
  const { status } = await api.get('/api/users/username/Meydan', bearer(token))
  return status !== 401
}

describe('POST /users/guest-login', () => {
  it('[ACC-07] [ACC-08] answers with success, a token and the guest', async () => {
    const { status, body } = await guest('Nergis', { gender: 'female', lastLoginPlatform: 'mobile' })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['success', 'token', 'user'])
    expect(v.parse(SignedIn, body).user).toMatchObject({
      username: 'Nergis',
      gender: 'female',
      avatarUrl: null,
      isGuest: true,
      role: 'guest',
      lastLoginPlatform: 'mobile',
    })
  })

  it.each([
    ['Al', 422, 'InvalidInput', 'Kullanıcı adı en az 3 karakter olmalıdır.'],
    [
      'kır mızı',
      422,
      'InvalidInput',
      'Kullanıcı adı harf ya da rakamla başlamalı; yalnızca harf, rakam, nokta, tire ve alt çizgi içerebilir.',
    ],
    ['Admin_34', 409, 'UsernameReserved', 'Bu kullanıcı adı kullanılamaz.'],
    ['NERGİS', 409, 'UsernameTaken', 'Bu kullanıcı adı alınmış. Lütfen başka bir ad seç.'],
  ])('[ACC-01] [ACC-03] [ACC-04] refuses %s with %d', async (username, status, code, message) => {
    const answer = await guest(username)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, code, message })
    expect(answer.cookie).toBeNull()
  })

  it.each([{ gender: 'x' }, { gender: 7 }, { lastLoginPlatform: 'tv' }, { browserId: '' }, { username: null }])(
    'refuses %j',
    async (more) => {
      const { status, body } = await guest('Papatya', more)
      expect(status).toBe(422)
      expect(body.path).toBe(Object.keys(more)[0])
    },
  )

  it('[ACC-26] continues a guest who sends their own name with their cookie or token, and nobody else', async () => {
    const sümbül = sessionOf(await guest('Sümbül'))
    expect(sessionOf(await guest('SÜMBÜL', {}, { cookie: sümbül.cookie })).id).toBe(sümbül.id)
    expect(sessionOf(await guest('sümbül', {}, bearer(sümbül.token))).id).toBe(sümbül.id)
    expect((await guest('Sümbül')).body).toMatchObject({ code: 'UsernameTaken' })
    expect(sessionOf(await guest('Sardunya', {}, { cookie: sümbül.cookie })).id).not.toBe(sümbül.id)
  })

  it('[ACC-26] ignores the cookie of a request without an allowed Origin', async () => {
    const { cookie } = sessionOf(await guest('Menekşe'))
    const init = { method: 'POST', body: JSON.stringify({ username: 'Menekşe' }) }
    const response = await api.send('/api/users/guest-login', {
      ...init,
      headers: { cookie, 'content-type': 'application/json' },
    })
    expect(response.status).toBe(409)
  })
})

describe('POST /users/login', () => {
  beforeAll(() => makeAdmin('Kaptan'))

  it('[ACC-07] [ACC-11] gives a root admin a user token and an admin token, neither valid as the other', async () => {
    const { status, body } = await login('KAPTAN', password)
    expect(status).toBe(200)
    const { token, adminToken = '', user } = v.parse(SignedIn, body)
    expect(user).toMatchObject({ username: 'Kaptan', role: 'rootadmin', isGuest: false })
    const { keys } = api.region.appContext
    expect(await verifyToken(keys, 'userToken', token, Date.now())).toMatchObject({ userId: user.id })
    expect(await verifyToken(keys, 'adminToken', adminToken, Date.now())).toMatchObject({ userId: user.id })
    expect(await verifyToken(keys, 'userToken', adminToken, Date.now())).toBeNull()
  })

  it('[ACC-06] fails with the same answer and one hash, whether the name exists or not', async () => {
    await guest('Misket')
    const answers: ApiResponse[] = []
    for (const username of ['Kaptan', 'yok_böyle_biri', 'Misket', 'a', '<b>', 'x'.repeat(64)]) {
      const before = api.passwords.computedCount
      answers.push(await login(username, 'yanlış şifre'))
      expect(api.passwords.computedCount - before).toBe(1)
    }
    for (const { status, body, cookie } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual({ success: false, code: 'LoginFailed', message: LOGIN_FAILED })
      expect(cookie).toBeNull()
    }
  })

  it.each([
    { username: '', password },
    { username: 'Kaptan', password: '' },
    { username: 'Kaptan', password: 'x'.repeat(129) },
    { username: ['Kaptan'], password },
    { username: 'Kaptan', password: { $ne: 1 } },
  ])('refuses %j before any hash', async (input) => {
    const before = api.passwords.computedCount
    expect((await api.post('/api/users/login', input)).status).toBe(422)
    expect(api.passwords.computedCount).toBe(before)
  })
})

describe('POST /users/refresh-token', () => {
  it('[ACC-12] accepts a valid token, one that expired within a day, or the cookie from an allowed Origin', async () => {
    const { token, cookie, id } = sessionOf(await guest('Lale'))
    for (const headers of [bearer(token), { cookie }]) {
      const refreshed = sessionOf(await refresh(headers))
      expect(refreshed.id).toBe(id)
      expect(await isLive(refreshed.token)).toBe(true)
    }
    api.region.clockOffset.aheadMs = 2 * HOUR_MS
    expect(await isLive(token)).toBe(false)
    expect(await isLive(sessionOf(await refresh(bearer(token))).token)).toBe(true)
    api.region.clockOffset.aheadMs = 26 * HOUR_MS
    expect((await refresh(bearer(token))).body).toMatchObject({ code: 'SessionEnded' })
    api.region.clockOffset.aheadMs = 0
  })

  it('[ACC-12] accepts the cookie beside an invalid token', async () => {
    const { cookie, id } = sessionOf(await guest('Zambak'))
    expect(sessionOf(await refresh({ ...bearer('a.b.c'), cookie })).id).toBe(id)
  })

  it('[ACC-10] [ACC-12] refuses the cookie from another Origin and without an Origin', async () => {
    const { cookie } = sessionOf(await guest('Gelincik'))
    expect((await refresh({ cookie, origin: 'http://evil.example' })).body).toMatchObject({ code: 'OriginNotAllowed' })
    const response = await api.send('/api/users/refresh-token', { method: 'POST', headers: { cookie } })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'NotSignedIn' })
  })

  it('[ACC-12] refuses a missing token, a forged token, and a token or cookie of another purpose', async () => {
    expect((await refresh({})).body).toMatchObject({ code: 'NotSignedIn' })
    const { token, cookie } = sessionOf(await guest('Karanfil'))
    const claims = await verifyToken(api.region.appContext.keys, 'userToken', token, Date.now())
    if (!claims) throw new Error('the user token should verify')
    const asAdmin = await signToken(api.region.appContext.keys, 'adminToken', claims, Date.now())
    const invalidHeaders = [
      bearer('a.b.c'),
      bearer(asAdmin),
      bearer(cookie.split('=')[1]),
      { cookie: `meydan_session=${token}` },
    ]
    for (const headers of invalidHeaders) expect((await refresh(headers)).body).toMatchObject({ code: 'SessionEnded' })
  })

  it('[ACC-12] updates lastSeenAt of a session after a day, not at every refresh', async () => {
    const { token } = sessionOf(await guest('Begonya'))
    const readLastSeen = () =>
      api.region.appContext.reader.all({ sql: 'select id, lastSeenAt from session order by id', bind: () => [] })
    const before = readLastSeen()
    await refresh(bearer(token))
    expect(readLastSeen()).toEqual(before)
    api.region.clockOffset.aheadMs = 24 * HOUR_MS
    await refresh(bearer(token))
    expect(readLastSeen()).not.toEqual(before)
    api.region.clockOffset.aheadMs = 0
  })
})

describe('the session cookie', () => {
  it('[ACC-10] is HttpOnly and SameSite=Lax, lasts 30 days, and is Secure under https', async () => {
    const plain = (await guest('Yasemin')).headers.getSetCookie()
    expect(plain).toHaveLength(2)
    expect(plain[1]).toMatch(/^meydan_browser=[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(plain[0]).toMatch(/^meydan_session=[\w.-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    const https = await guest('Leylak', {}, { origin: api.origin.replace('http:', 'https:') })
    expect(https.headers.getSetCookie()[0]).toContain('; Secure')
  })

  it('[ACC-10] signs page visits in with new tokens until the session ends', async () => {
    const { cookie, id, token } = sessionOf(await guest('Açelya'))
    const { body } = await api.get('/page', { cookie })
    expect(body).toMatchObject({ person: { id, username: 'Açelya' }, actor: { userId: id, role: 'guest' } })
    expect(body).not.toHaveProperty('adminToken')
    expect(await isLive(String(body.token))).toBe(true)
    await logOut(bearer(token))
    expect((await api.get('/page', { cookie })).body).toEqual({ nobody: true })
  })

  it('[ACC-97] gives a root admin’s page no admin token', async () => {
    await makeAdmin('Reis')
    const { cookie } = sessionOf(await login('Reis', password))
    const { body } = await api.get('/page', { cookie })
    expect(body).toMatchObject({ actor: { role: 'rootadmin' } })
    expect(body).not.toHaveProperty('adminToken')
  })

  it('[ACC-98] of the log-in form comes with an admin token for the next page alone', async () => {
    await makeAdmin('Dümenci')
    const response = await api.postForm('/api/users/login', { username: 'Dümenci', password })
    expect(response.status).toBe(303)
    const setCookies = response.headers.getSetCookie()
    expect(setCookies.at(-1)).toMatch(/^meydan_admin=[\w.-]+; Max-Age=60; Path=\/; HttpOnly; SameSite=Strict$/)
    const [session, , , handover] = setCookies.map((header) => header.split(';')[0])
    const page = await api.get('/page', { cookie: `${session}; ${handover}` })
    const { keys } = api.region.appContext
    expect(await verifyToken(keys, 'adminToken', String(page.body.adminToken), Date.now())).not.toBeNull()
    expect(page.headers.getSetCookie()[0]).toMatch(/^meydan_admin=; Max-Age=0;/)

    // It is only for the session that it was given to.
    await makeAdmin('Tayfa')
    const { cookie: other } = sessionOf(await login('Tayfa', password))
    const { body } = await api.get('/page', { cookie: `${other}; ${handover}` })
    expect(body).toMatchObject({ person: { username: 'Tayfa' } })
    expect(body).not.toHaveProperty('adminToken')
    const member = await api.postForm('/api/users/guest-login', { username: 'Yolcu' })
    expect(member.headers.getSetCookie().join()).not.toContain('meydan_admin')
  })

  it('[ACC-10] alone neither logs out nor authenticates an API request', async () => {
    const { cookie, token } = sessionOf(await guest('Nilüfer'))
    expect((await logOut({ cookie })).body).toMatchObject({ code: 'NotSignedIn' })
    expect((await api.get('/api/users/username/Lale', { cookie })).status).toBe(401)
    expect(await isLive(token)).toBe(true)
  })

  it.each(['', 'x', 'a.b.c', '%00'])('[ACC-10] with the value %j renders the page signed out', async (value) => {
    expect((await api.get('/page', { cookie: `meydan_session=${value}` })).body).toEqual({ nobody: true })
  })
})

describe('POST /users/logout', () => {
  it('[ACC-13] ends the session, so that its token, cookie and connection are refused or closed', async () => {
    const stolen = sessionOf(await guest('Orkide'))
    const bystander = await api.region.connectAs(await api.region.createGuest('Seyirci'))
    const client = api.region.openConnection()
    const asOrkide = { userId: stolen.id, sessionId: 0, username: 'Orkide', token: stolen.token }
    expect(await sendHello(client, asOrkide)).toMatchObject({ user: { username: 'Orkide' } })

    const { status, body, headers } = await logOut({ ...bearer(stolen.token), cookie: stolen.cookie })
    expect([status, body]).toEqual([200, { success: true }])
    expect(headers.getSetCookie()[0]).toMatch(/^meydan_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(await client.waitForEvent('forceDisconnect')).toEqual({ message: 'Oturumun kapatıldı.' })

    expect(await isLive(stolen.token)).toBe(false)
    expect(await sendHello(api.region.openConnection(), asOrkide)).toMatchObject({ code: 'SessionEnded' })
    for (const headers of [bearer(stolen.token), { cookie: stolen.cookie }]) {
      expect((await refresh(headers)).body).toMatchObject({ code: 'SessionEnded' })
    }
    expect((await logOut(bearer(stolen.token))).body).toMatchObject({ code: 'SessionEnded' })
    expect(bystander.countEvents('forceDisconnect')).toBe(0)
  })

  it('[DM-70] deletes the files in the browser’s cache, as a page does whose session was ended elsewhere', async () => {
    const clearedBy = async (answer: Promise<ApiResponse>) => (await answer).headers.get('clear-site-data')
    const [own, other] = [sessionOf(await guest('Kardelen1')), sessionOf(await guest('Kardelen2'))]
    const { cookie } = own
    expect(await clearedBy(api.get('/page', { cookie }))).toBeNull()
    expect(await clearedBy(logOut({ ...bearer(own.token), cookie: other.cookie }))).toBeNull()
    expect(await clearedBy(api.get('/page', { cookie }))).toBe('"cache"')
    expect(await clearedBy(logOut({ ...bearer(other.token), cookie: other.cookie }))).toBe('"cache"')
    expect(await clearedBy(api.get('/page'))).toBeNull()
  })

  it('[ACC-13] accepts an expired token and leaves another user’s session alone', async () => {
    const [one, other] = [sessionOf(await guest('Fulya')), sessionOf(await guest('Mimoza'))]
    api.region.clockOffset.aheadMs = 2 * HOUR_MS
    expect((await logOut({ ...bearer(one.token), cookie: other.cookie })).headers.getSetCookie()).toEqual([])
    api.region.clockOffset.aheadMs = 0
    expect(await isLive(one.token)).toBe(false)
    expect(await isLive(other.token)).toBe(true)
  })

  it('refuses a missing token, a forged token and a request from another site', async () => {
    expect((await logOut({})).body).toMatchObject({ code: 'NotSignedIn' })
    expect((await logOut(bearer('a.b.c'))).body).toMatchObject({ code: 'SessionEnded' })
    const { cookie, token } = sessionOf(await guest('Kamelya'))
    const foreign = await logOut({ ...bearer(token), cookie, origin: 'https://evil.example' })
    expect(foreign.body).toMatchObject({ code: 'OriginNotAllowed' })
    expect(foreign.headers.getSetCookie()).toEqual([])
    expect(await isLive(token)).toBe(true)
  })
})

describe('users by name', () => {
  const isRegister = (name: string) => api.get(`/api/users/isRegister/${encodeURIComponent(name)}`)

  it('[ACC-17] [ACC-140] reports a name as free, held by a guest, held by a member, reserved, or unavailable', async () => {
    await guest('Kardelen')
    await makeAdmin('Dümenci')
    const answers = {
      Boşta: { isRegister: false, available: true },
      KARDELEN: { isRegister: false, available: false },
      dümencİ: { isRegister: true, available: false },
      admin: { isRegister: false, available: false, isReserved: true },
      kra1admln: { isRegister: false, available: false, isReserved: true },
      al: { isRegister: false, available: false },
      'kır mızı/': { isRegister: false, available: false },
    }
    for (const [name, expected] of Object.entries(answers)) {
      expect((await isRegister(name)).body, name).toEqual({ success: true, isReserved: false, ...expected })
    }
    api.region.clockOffset.aheadMs = HOUR_MS / 2
    expect((await isRegister('Kardelen')).body).toMatchObject({ available: true })
    api.region.clockOffset.aheadMs = 0
    expect((await isRegister('x'.repeat(65))).status).toBe(422)
  })

  it('[ACC-18] answers a signed-in user with the public profile', async () => {
    const { token, id } = sessionOf(await guest('Papatya', { gender: 'other' }))
    const getProfile = (name: string, headers = bearer(token)) => api.get(`/api/users/username/${name}`, headers)
    const { status, body } = await getProfile(encodeURIComponent('PAPATYA'))
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      user: {
        ...PRIVACY_DEFAULTS,
        ...{ age: null, city: null, bio: null, largeAvatarUrl: null },
        id,
        username: 'Papatya',
        gender: 'other',
        avatarUrl: null,
        isGuest: true,
        isOnline: false,
        connectedAt: null,
        lastActive: expect.any(Number),
        role: 'guest',
        premiumStatus: 'guest',
        status: { hasBlockedProfile: false, isBlockedByProfile: false },
        lastLoginPlatform: 'web',
      },
    })
    await api.region.connectAs({ userId: id, sessionId: 0, username: 'Papatya', token })
    expect((await getProfile('papatya')).body).toMatchObject({ user: { isOnline: true } })
    expect((await getProfile('kimse')).status).toBe(404)
    expect((await getProfile('papatya', bearer(''))).status).toBe(401)
  })
})
