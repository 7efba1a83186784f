import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SignedIn } from '../../../../shared/accounts/protocol.ts'
import { TERMS_VERSION } from '../../../../shared/accounts/terms.ts'
import { refusals } from '../../../../shared/protocol/refusals.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { query } from '../../../model/schema/query.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { moderationRoutes } from '../../moderation/feature.ts'
import { setMaintenance } from '../../moderation/set-maintenance.ts'
import { SIGN_IN_RETRY_MS } from '../sign-in/unacknowledged-session.ts'

const password = 'dört kuş uçtu'
const TERMS_MISSING_TEXT = 'Gizlilik Sözleşmesini onaylamadan kayıt olamazsınız.'
const AGE_INVALID_TEXT = 'Yaşınız uygun değil!'

const allUsers = query()((db) => db.selectFrom('user').selectAll())
const allSessions = query()((db) => db.selectFrom('session').selectAll())

let api: TestApi
const open = async () => {
  const env = { MEYDAN_LIMIT_SCALE: '1000', MEYDAN_TRUSTED_PROXIES: '127.0.0.1' }
  api = await openTestApi(env, (app, _, site) => moderationRoutes(app, site.appContext))
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` })
const validInput = (username: string) => ({ username, password, age: 30, termsAccepted: true })
const register = (username: string, more: object = {}, headers = {}) =>
  api.post('/api/users/register', { ...validInput(username), ...more }, headers)
const login = (username: string, secret: string) => api.post('/api/users/login', { username, password: secret })
const guest = async (username: string, more: object = {}, headers = {}) => {
  const answered = await api.post('/api/users/guest-login', { username, ...more }, headers)
  return { ...v.parse(SignedIn, answered.body), cookie: answered.cookie ?? '' }
}
const rowOf = (id: number) => api.region.appContext.reader.get(userById, { id })

describe('sign-up validation', () => {
  beforeAll(open)
  afterAll(() => api.close())

  it.each([
    [{ age: 17 }, 'age', AGE_INVALID_TEXT],
    [{ age: 100 }, 'age', AGE_INVALID_TEXT],
    [{ age: 30.5 }, 'age', AGE_INVALID_TEXT],
    [{ age: '17' }, 'age', AGE_INVALID_TEXT],
    [{ age: '3e1' }, 'age', AGE_INVALID_TEXT],
    [{ age: '' }, 'age', AGE_INVALID_TEXT],
    [{ age: -1e308 }, 'age', AGE_INVALID_TEXT],
    [{ age: undefined }, 'age', AGE_INVALID_TEXT],
    [{ password: 'x'.repeat(7) }, 'password', 'Şifre en az 8 karakter olmalıdır.'],
    [{ password: 'x'.repeat(129) }, 'password', 'Şifre en fazla 128 karakter olabilir.'],
    [{ password: 'yarım harf \ud800' }, 'password', 'Şifrede okunamayan bir karakter var.'],
    [{ password: undefined }, 'password', 'Bir şifre seç.'],
    [{ password: { $ne: 1 } }, 'password', 'Bir şifre seç.'],
    [{ termsAccepted: undefined }, 'termsAccepted', TERMS_MISSING_TEXT],
    [{ termsAccepted: false }, 'termsAccepted', TERMS_MISSING_TEXT],
    [{ termsAccepted: 'true' }, 'termsAccepted', TERMS_MISSING_TEXT],
    [{ gender: 'x' }, 'gender', refusals.InvalidInput.message],
    [{ username: 'Al' }, 'username', 'Kullanıcı adı en az 3 karakter olmalıdır.'],
    [{ username: undefined }, 'username', 'Bir kullanıcı adı seç.'],
    [{ username: '\u200badmin\u200b' }, 'username', expect.stringContaining('harf ya da rakamla başlamalı')],
    [{ username: '<img src=x>' }, 'username', expect.stringContaining('harf ya da rakamla başlamalı')],
  ])('[ACC-30] refuses %j before any hash', async (more, path, message) => {
    const { status, body, cookie } = await register('Nergis', more)
    expect([status, body]).toEqual([422, { success: false, code: 'InvalidInput', path, message }])
    expect(cookie).toBeNull()
    expect(api.passwords.computedCount).toBe(0)
  })
})

describe('POST /users/register', () => {
  beforeEach(open)
  afterEach(() => api.close())

  it('[ACC-69] accepts an age as text and a null gender', async () => {
    const { status, body } = await register('Nergis', { age: ' 30 ', gender: null })
    expect(status).toBe(200)
    const { user, token } = v.parse(SignedIn, body)
    expect(user.gender).toBeNull()
    expect((await api.get('/api/users/username/nergis', bearer(token))).body).toMatchObject({ user: { age: 30 } })
  })

  it('[ACC-29] creates a member and answers as a login does', async () => {
    const more = { age: 18, gender: 'female', lastLoginPlatform: 'mobile', browserId: 'B1' }
    const { status, body, cookie } = await register('Nergis', more)
    expect(status).toBe(200)
    const { user, token } = v.parse(SignedIn, body)
    expect(Object.keys(body).sort()).toEqual(['success', 'token', 'user'])
    expect(user).toMatchObject({ username: 'Nergis', isGuest: false, role: 'member', gender: 'female' })
    expect((await api.get('/page', { cookie: cookie ?? '' })).body).toMatchObject({ person: { id: user.id } })
    expect((await api.get('/api/users/username/nergis', bearer(token))).body).toMatchObject({ user: { age: 18 } })
    expect((await login('NERGİS', password)).status).toBe(200)
  })

  it('[ACC-31] stores the time of consent and the version of the terms', async () => {
    const before = Date.now()
    const { user } = v.parse(SignedIn, (await register('Nergis')).body)
    const row = rowOf(user.id)
    expect(row?.termsVersion).toBe(TERMS_VERSION)
    expect(row?.termsAcceptedAt).toBeGreaterThanOrEqual(before)
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('[ACC-30] refuses a non-object, an oversized body and a reserved name, and ignores extra fields', async () => {
    const send = (body: string) =>
      api.send('/api/users/register', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect((await send('[]')).status).toBe(422)
    expect((await send(JSON.stringify({ ...validInput('Nergis'), bio: 'x'.repeat(70_000) }))).status).toBe(413)
    expect((await register('4dm1n')).body).toMatchObject({ code: 'UsernameReserved' })
    expect((await register('Nergis', { isGuest: false, role: 'rootadmin', id: 1 })).body).toMatchObject({
      user: { role: 'member' },
    })
  })

  it('[ACC-33] refuses a name that folds to that of a member or an active guest, after one hash each', async () => {
    await register('Işıl')
    await guest('Mimoza')
    for (const name of ['IŞIL', 'ışıl', 'Ｉşıl', 'işil', 'MİMOZA', 'mımoza']) {
      const before = api.passwords.computedCount
      const { status, body, cookie } = await register(name)
      expect([status, body.code, body.message], name).toEqual([409, 'UsernameTaken', refusals.UsernameTaken.message])
      expect(cookie).toBeNull()
      expect(api.passwords.computedCount - before).toBe(1)
    }
    expect((await register('isil')).status).toBe(200) // ş and s are different letters
  })

  it('[ACC-33] gives a name to one of five concurrent sign-ups', async () => {
    const attempts = ['Işıl', 'IŞIL', 'ışıl', 'Ｉşıl', 'işil'].map((name, i) => register(name, { browserId: `B${i}` }))
    const codes = (await Promise.all(attempts)).map(({ body }) => body.code ?? 'created')
    expect(codes.sort()).toEqual(['UsernameTaken', 'UsernameTaken', 'UsernameTaken', 'UsernameTaken', 'created'])
    const members = api.region.appContext.reader.all(allUsers).filter(({ isGuest }) => isGuest === 0)
    expect(members).toHaveLength(1)
  })

  it('[ACC-34] returns the first session when the same browser retries within two minutes', async () => {
    const { user } = v.parse(SignedIn, (await register('Nergis', { browserId: 'B1' })).body)
    const retried = await register('nergis', { browserId: 'B1' })
    expect(v.parse(SignedIn, retried.body).user.id).toBe(user.id)
    expect(api.region.appContext.reader.all(allSessions)).toHaveLength(1)

    for (const more of [{ browserId: 'B2' }, {}, { browserId: 'B1', password: 'başka bir şifre' }]) {
      expect((await register('Nergis', more)).body).toMatchObject({ code: 'UsernameTaken' })
    }
    api.region.clockOffset.aheadMs = SIGN_IN_RETRY_MS + 1_000
    expect((await register('Nergis', { browserId: 'B1' })).body).toMatchObject({ code: 'UsernameTaken' })
  })

  it('[ACC-34] refuses a member who is signed in by token or by cookie', async () => {
    const { body, cookie } = await register('Nergis')
    const refusal = { code: 'AlreadyMember', message: 'Zaten üyesin. Başka bir hesap açmak için önce çıkış yap.' }
    expect((await register('Papatya', {}, bearer(body.token))).body).toMatchObject(refusal)
    expect((await register('Papatya', {}, { cookie: cookie ?? '' })).body).toMatchObject(refusal)
    expect((await register('Nergis', { password: 'başka bir şifre' }, bearer(body.token))).body).toMatchObject(refusal)
    expect(api.region.appContext.reader.all(allUsers).filter(({ username }) => username === 'Papatya')).toEqual([])
  })

  it('[ACC-37] stores and renders the typed password nowhere', async () => {
    const secret = 'çok gizli bir şifre 42'
    await register('Nergis', { password: secret })
    await login('Nergis', secret)
    const refused = await api.postForm('/api/users/register', { username: 'Nergis', password: secret, age: '17' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).not.toContain(secret)
    const { reader } = api.region.appContext
    for (const table of ['user', 'session', 'event', 'commandAnswer', 'accountMark']) {
      const rows = reader.all({ sql: `select * from ${table}`, bind: () => [] })
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })
})

describe('a guest who registers', () => {
  beforeEach(open)
  afterEach(() => api.close())

  it('[ACC-32] keeps id, room and connection, and everyone gets userProfileUpdated', async () => {
    const lale = await guest('Lale', { gender: 'female', browserId: 'B1' })
    const testUser = { userId: lale.user.id, sessionId: 0, username: 'Lale', token: lale.token }
    // The other member is first, to receive the join of this one.
    const roomMember = await api.region.connectAs(await api.region.createGuest('Gören'), 1)
    const own = await api.region.connectAs(testUser, 1)
    const elsewhere = await api.region.connectAs(await api.region.createGuest('Uzak'), 2)
    await roomMember.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'Lale')

    const { status, body } = await register('Gonca', { browserId: 'B1' }, bearer(lale.token))
    expect(status).toBe(200)
    const summary = { id: lale.user.id, username: 'Gonca', isGuest: false, role: 'member', gender: 'female' }
    expect(body.user).toMatchObject(summary)
    expect(await own.waitForEvent('sessionReplaced')).toMatchObject({ isRenewable: false })
    expect(await own.request('userConnected', { token: String(body.token) })).toEqual({ success: true })
    for (const client of [own, roomMember, elsewhere]) {
      expect(await client.waitForEvent('userProfileUpdated')).toEqual({ user: expect.objectContaining(summary) })
    }
    expect(await roomMember.waitForEvent('userUpdated')).toMatchObject({ user: { ...summary, isOnline: true } })
    for (const name of ['user-left', 'forceDisconnect'] as const)
      expect([own, roomMember].map((client) => client.countEvents(name))).toEqual([0, 0])
    expect(elsewhere.countEvents('userUpdated')).toBe(0)

    api.region.clockOffset.aheadMs = 11_000
    expect(
      await own.request('sendMessage', { roomId: 1, content: 'ben hâlâ buradayım', clientId: crypto.randomUUID() }),
    ).not.toHaveProperty('code')
    expect(await roomMember.waitForEvent('message')).toMatchObject({
      senderId: lale.user.id,
      senderUsername: 'Gonca',
      senderIsGuest: false,
    })
    expect(own.transport.closeCode).toBeNull()
    expect(api.region.appContext.reader.all(allSessions).filter(({ userId }) => userId === lale.user.id)).toHaveLength(
      1,
    )
  })

  it('[ACC-32] may keep their own name in other letter case, but not take another guest’s name', async () => {
    const lale = await guest('Lale')
    await guest('Mimoza')
    expect((await register('Mimoza', {}, bearer(lale.token))).body).toMatchObject({ code: 'UsernameTaken' })
    expect(rowOf(lale.user.id)).toMatchObject({ isGuest: 1, role: 'guest', passwordHash: null, termsAcceptedAt: null })
    expect((await register('LALE', {}, bearer(lale.token))).body).toMatchObject({
      user: { id: lale.user.id, username: 'LALE' },
    })
    expect((await guest('Lâle')).user.id).not.toBe(lale.user.id)
  })

  it('[ACC-32] is identified by the cookie in a plain form of this site', async () => {
    const lale = await guest('Lale')
    const fields = { username: 'Lale', password, age: '44', termsAccepted: 'true', gender: '', browserId: '' }
    const response = await api.postForm('/api/users/register', { ...fields, next: '/room/3' }, { cookie: lale.cookie })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/room/3'])
    expect(rowOf(lale.user.id)).toMatchObject({ isGuest: 0, age: 44 })
  })

  it('[ACC-34] [ACC-82] may retry with the token from before', async () => {
    const lale = await guest('Lale')
    await register('Gonca', {}, bearer(lale.token))
    const retried = await register('Gonca', {}, bearer(lale.token))
    expect(v.parse(SignedIn, retried.body).user).toMatchObject({ id: lale.user.id, role: 'member' })
    expect((await register('Gonca', { password: 'başka bir şifre' }, bearer(lale.token))).status).toBe(401)
  })

  it('[ACC-32] is refused with an invalid token instead of getting a new account', async () => {
    const lale = await guest('Lale')
    await api.post('/api/users/logout', {}, bearer(lale.token))
    for (const token of [lale.token, 'a.b.c']) {
      expect((await register('Gonca', {}, bearer(token))).body).toMatchObject({ code: 'SessionEnded' })
    }
    expect((await register('Gonca', {}, { cookie: lale.cookie })).status).toBe(200)
    expect(api.passwords.computedCount).toBe(1)
  })
})

describe('a banned user or a site in maintenance', () => {
  beforeEach(open)
  afterEach(() => api.close())

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const ban = async (username: string) => {
    const root = await api.region.createRootAdmin('Yönetici')
    const terms = { username, duration: '1hr', banReason: 'Uygunsuz Mesaj' }
    expect((await api.post('/api/users/ban', terms, bearer(root.adminToken))).status).toBe(200)
  }

  it('[ACC-35] refuses a banned guest’s session, browser and address', async () => {
    const kaba = await guest('Kaba', { browserId: 'B1' }, from('203.0.113.5'))
    await ban('Kaba')
    const attempts = [
      register('Yepyeni', {}, { ...bearer(kaba.token), ...from('198.51.100.1') }),
      register('Yepyeni', {}, { cookie: kaba.cookie, ...from('198.51.100.1') }),
      register('Yepyeni', { browserId: 'B1' }, from('198.51.100.1')),
      register('Yepyeni', { browserId: 'B2' }, from('203.0.113.5')),
    ]
    for (const { status, body, cookie } of await Promise.all(attempts)) {
      expect([status, body.code, cookie]).toEqual([403, 'Banned', null])
      expect(body.message).toContain('Sebep: Uygunsuz Mesaj')
    }
    expect((await register('Yepyeni', { browserId: 'B2' }, from('198.51.100.1'))).status).toBe(200)
  })

  it('[ACC-35] refuses sign-up during maintenance before any hash', async () => {
    await api.region.appContext.execute(setMaintenance, null, { isOn: true })
    expect((await register('Nergis')).body).toMatchObject({ code: 'Maintenance' })
    expect(api.passwords.computedCount).toBe(0)
  })

  it('[ACC-38] reveals a ban only after the right password, and every failure costs one hash', async () => {
    await register('Kaba')
    await register('Papatya')
    await ban('Kaba')
    const attempt = async (name: string, secret: string) => {
      const before = api.passwords.computedCount
      const { status, body, cookie } = await login(name, secret)
      return { status, code: body.code, message: body.message, cookie, hashes: api.passwords.computedCount - before }
    }
    const wrong = await attempt('Papatya', 'yanlış şifre')
    expect(wrong).toMatchObject({ status: 401, code: 'LoginFailed', hashes: 1 })
    expect(await attempt('Kaba', 'yanlış şifre')).toEqual(wrong)
    expect(await attempt('yok_böyle_biri', 'yanlış şifre')).toEqual(wrong)
    expect(await attempt('Kaba', password)).toMatchObject({ status: 403, code: 'Banned', cookie: null, hashes: 1 })
  })
})
