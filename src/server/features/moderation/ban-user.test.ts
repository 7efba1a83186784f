import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BanDuration, BanReason } from '../../../shared/moderation/protocol.ts'
import { BAN_DEFAULTS, BAN_DURATIONS, formatBanNotice } from '../../../shared/moderation/rules.ts'
import { query } from '../../model/schema/query.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { PasswordHasher } from '../accounts/passwords/password-hasher.ts'
import { banUser } from './ban-user.ts'
import { moderationRoutes } from './feature.ts'

const banInput = { duration: '10min', banReason: 'Uygunsuz Mesaj' } as const
const MINUTE_MS = 60_000

const allFingerprints = query()((db) => db.selectFrom('accountMark').selectAll())
const coveredFingerprints = query()((db) => db.selectFrom('restrictionFingerprint').selectAll())

let api: TestApi
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_TRUSTED_PROXIES: '127.0.0.1' }, (app, _, site) =>
    moderationRoutes(app, site.appContext),
  )
})
afterEach(() => api.close())

/** Creates a root admin; `admin` has the header of the admin token. */
async function rootAdmin(username = 'Yönetici') {
  const person = await api.region.createRootAdmin(username)
  return { ...person, admin: bearer(person.adminToken) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Signs a guest in from an address through the trusted proxy. */
async function signInGuestFrom(address: string, username: string, browserId?: string, headers = {}) {
  const response = await api.post(
    '/api/users/guest-login',
    { username, ...(browserId !== undefined && { browserId }) },
    { 'x-forwarded-for': address, ...headers },
  )
  return { ...response, token: String(response.body.token), user: response.body.user as { id: number } }
}

function ban(
  admin: Record<string, string>,
  username: string,
  more: { duration?: BanDuration; banReason?: BanReason } = {},
) {
  return api.post('/api/users/ban', { username, ...banInput, ...more }, admin)
}

function connectTo(person: TestUser, roomId: number) {
  return api.region.connectAs(person, roomId)
}

/** Inserts a member with this password. */
async function member(username: string, password: string): Promise<void> {
  const db = new Sqlite(api.region.appContext.config.databaseFile, { timeout: 5_000 })
  db.prepare(
    `insert into user (username, foldedName, isGuest, role, passwordHash, lastLoginPlatform, createdAt, lastSeenAt)
     values (?, lower(?), 0, 'member', ?, 'web', 0, 0)`,
  ).run(username, username, String(await new PasswordHasher().hash(password)))
  db.close()
}

describe('a ban', () => {
  it('[MOD-01] [MOD-02] needs an admin token, a name, a duration and a reason', async () => {
    const root = await rootAdmin()
    const guest = await api.region.createGuest('Papatya')
    await api.region.createGuest('Kaba')
    for (const [headers, status] of [
      [{}, 401],
      [bearer(guest.token), 403],
      [bearer(root.token), 403],
    ] as const) {
      const response = await api.post('/api/users/ban', { username: 'Kaba', ...banInput }, headers)
      expect(response.status).toBe(status)
    }
    for (const field of ['username', 'duration', 'banReason']) {
      const { [field]: _, ...rest } = { username: 'Kaba', ...banInput } as Record<string, string>
      expect((await api.post('/api/users/ban', rest, root.admin)).body).toMatchObject({
        code: 'InvalidInput',
        path: field,
      })
    }
    expect((await ban(root.admin, 'Kaba', { duration: '2hr' as '1hr' })).status).toBe(422)
    expect((await ban(root.admin, 'Kaba', { banReason: 'Sebep yok' as 'Diğer' })).status).toBe(422)
    expect((await ban(root.admin, 'kaba')).body).toMatchObject({
      success: true,
      ban: { username: 'Kaba', ...banInput },
    })
    expect(BAN_DEFAULTS).toEqual(banInput)
    expect(BAN_DURATIONS.map(({ label }) => label)).toEqual(['10 Dakika', '1 Saat', 'Süresiz Yasakla'])
    expect((await ban(root.admin, 'Olmayan')).status).toBe(404)
  })

  it('[MOD-01] works by the live command, with the session as the actor', async () => {
    const root = await api.region.createRootAdmin('Yönetici')
    const kaba = await api.region.createGuest('Kaba')
    const papatya = await api.region.createGuest('Papatya')
    const [rootClient, guest] = [await connectTo(root, 1), await connectTo(papatya, 1)]
    const input = { targetname: 'Kaba', targetUserId: kaba.userId, ...banInput }
    expect(await guest.request('banUser', input)).toMatchObject({ code: 'Forbidden' })
    expect(await rootClient.request('banUser', { ...input, banningUser: 'Papatya' })).toMatchObject({
      code: 'ActorMismatch',
    })
    expect(await rootClient.request('banUser', { ...input, targetUserId: papatya.userId })).toMatchObject({
      code: 'NotFound',
    })
    expect(await rootClient.request('banUser', { ...input, banningUser: 'Yönetici' })).toMatchObject({
      success: true,
      ban: { userId: kaba.userId, bannedBy: 'Yönetici' },
    })
    expect(guest.countEvents('userBanned')).toBe(0)
  })

  it('[MOD-03] sends each connection the notice, then forceDisconnect, and closes it with 4403', async () => {
    const root = await rootAdmin()
    const kaba = await api.region.createGuest('Kaba')
    const clients = [await connectTo(kaba, 1), await connectTo(kaba, 2)]
    await ban(root.admin, 'Kaba', { banReason: 'Diğer' })
    for (const client of clients) {
      const { message } = await client.waitForEvent('systemBannedNotification')
      expect(message).toMatch(/^Siteden yasaklandın\. Sebep: Diğer\. Bitiş: \d/)
      expect(await client.waitForEvent('forceDisconnect')).toEqual({ message })
      expect(client.transport.closeCode).toBe(4403)
    }
    expect((await api.get('/api/users/username/Kaba', bearer(kaba.token))).body).toMatchObject({ code: 'Banned' })
  })

  it('[MOD-03] [MOD-14] sends other users only the leave of the banned user', async () => {
    const root = await rootAdmin()
    const kaba = await api.region.createGuest('Kaba')
    const inRoom = await connectTo(await api.region.createGuest('Papatya'), 1)
    const elsewhere = await connectTo(await api.region.createGuest('Lale'), 2)
    const kabaClient = await connectTo(kaba, 1)
    await inRoom.waitForEvent('user-joined', ({ user }) => (user as { username: string }).username === 'Kaba')
    await ban(root.admin, 'Kaba')
    await kabaClient.waitForEvent('forceDisconnect')
    await inRoom.waitForEvent('user-left', ({ username }) => username === 'Kaba')
    for (const bystander of [inRoom, elsewhere]) {
      for (const name of [
        'userBanned',
        'systemBannedNotification',
        'forceDisconnect',
        'removeBannedMessages',
      ] as const) {
        expect(bystander.countEvents(name)).toBe(0)
      }
      expect(bystander.transport.closeCode).toBeNull()
    }
    expect(elsewhere.countEvents('user-left')).toBe(0)
  })

  it('[MOD-04] is refused for a root admin and for oneself', async () => {
    const root = await rootAdmin()
    await api.region.createRootAdmin('Öteki')
    expect((await ban(root.admin, 'Öteki')).body).toMatchObject({
      code: 'Forbidden',
      message: 'Root adminler yasaklanamaz.',
    })
    expect((await ban(root.admin, 'yönetici')).body).toMatchObject({
      code: 'Forbidden',
      message: 'Kendini yasaklayamazsın.',
    })
  })

  it('[MOD-05] [MOD-06] refuses every sign-in, refresh, hello and page of the guest, their browser and their address', async () => {
    const root = await rootAdmin()
    const { user, token, cookie } = await signInGuestFrom('203.0.113.7', 'Kaba', 'tarayıcı 1')
    const kaba = { userId: user.id, sessionId: 0, username: 'Kaba', token }
    await ban(root.admin, 'Kaba', { duration: 'indefinite' })
    const banned = {
      success: false,
      code: 'Banned',
      message: 'Siteden süresiz olarak yasaklandın. Sebep: Uygunsuz Mesaj.',
    }
    const own = { cookie: cookie ?? '' }
    const answers = [
      await api.post('/api/users/refresh-token', {}, bearer(token)),
      await api.post('/api/users/refresh-token', {}, own),
      await api.get('/api/users/username/Papatya', bearer(token)),
      await signInGuestFrom('198.51.100.1', 'Yenisi', 'tarayıcı 2', own),
      await signInGuestFrom('198.51.100.1', 'Yenisi', 'tarayıcı 1'),
      await signInGuestFrom('203.0.113.7', 'Yenisi', 'tarayıcı 2'),
      await signInGuestFrom('203.0.113.7', 'Yenisi'),
    ]
    for (const { status, body } of answers) expect([status, body]).toEqual([403, banned])
    const client = api.region.openConnection()
    const hello = { protocol: 1, token: kaba.token, browserId: 'başka', platform: 'web' } as const
    expect(await client.request('hello', hello)).toMatchObject({ code: 'Banned', message: banned.message })
    expect(client.transport.closeCode).toBe(4403)
    expect(await (await api.send('/page', { headers: own })).json()).toMatchObject({ body: { code: 'Banned' } })
    expect((await signInGuestFrom('198.51.100.1', 'Bambaşka', 'tarayıcı 3')).status).toBe(200)
  })

  it('[MOD-06] [MOD-14] leaves guests alone who signed in earlier from the same address', async () => {
    const root = await rootAdmin()
    const signIn = async (name: string, browserId: string) => {
      const { token } = await signInGuestFrom('203.0.113.7', name, browserId)
      const client = api.region.openConnection()
      await client.request('hello', { protocol: 1, token, browserId, platform: 'web' })
      return { token, client }
    }
    const kaba = await signIn('Kaba', 'tarayıcı 1')
    const neighbour = await signIn('Komşu', 'tarayıcı 2')
    await ban(root.admin, 'Kaba')
    await kaba.client.waitForEvent('systemBannedNotification')
    expect(await neighbour.client.request('getRooms', {})).toHaveProperty('rooms')
    expect((await api.post('/api/users/refresh-token', {}, bearer(neighbour.token))).status).toBe(200)
  })

  it('[MOD-06] refuses a hello with the banned browser after a sign-in from another one', async () => {
    const root = await rootAdmin()
    await signInGuestFrom('203.0.113.7', 'Kaba', 'tarayıcı 1')
    await ban(root.admin, 'Kaba')
    const { token } = await signInGuestFrom('198.51.100.1', 'Yenisi', 'tarayıcı 2')
    const client = api.region.openConnection()
    const hello = { protocol: 1, token, browserId: 'tarayıcı 1', platform: 'web' } as const
    expect(await client.request('hello', hello)).toMatchObject({ code: 'Banned' })
    expect(client.transport.closeCode).toBe(4403)
  })

  it('[MOD-06] covers the browser of the hello when the form had none', async () => {
    const root = await rootAdmin()
    const { token } = await signInGuestFrom('203.0.113.7', 'Kaba')
    const client = api.region.openConnection()
    await client.request('hello', { protocol: 1, token, browserId: 'tarayıcı 9', platform: 'web' })
    await api.region.createGuest('Sonraki') // the fingerprint of the hello is written by now
    await ban(root.admin, 'Kaba')
    expect((await signInGuestFrom('198.51.100.1', 'Yenisi', 'tarayıcı 9')).status).toBe(403)
  })

  it('[MOD-06] stores browser ids and addresses only as hashes, and shows them to nobody', async () => {
    const root = await rootAdmin()
    await signInGuestFrom('203.0.113.7', 'Kaba', 'tarayıcı 1')
    await signInGuestFrom('203.0.113.8', 'Papatya', 'tarayıcı 2')
    const { body } = await ban(root.admin, 'Kaba')
    const responses = JSON.stringify([body, (await api.get('/api/users/banned-users', root.admin)).body])
    expect(responses).not.toMatch(/203\.0\.113|tarayıcı|hash/i)
    const storedRows = JSON.stringify([
      api.region.appContext.reader.all(allFingerprints),
      api.region.appContext.reader.all(coveredFingerprints),
    ])
    expect(storedRows).toContain('browser')
    expect(storedRows).not.toMatch(/203\.0\.113|tarayıcı/)
  })

  it('[MOD-05] is shown to a member only after the right password', async () => {
    const root = await rootAdmin()
    const password = 'çok gizli parola'
    await member('Ozan', password)
    await ban(root.admin, 'Ozan', { duration: '1hr', banReason: 'Uygunsuz Fotoğraf' })
    const login = (given: string) => api.post('/api/users/login', { username: 'Ozan', password: given })
    expect((await login('yanlış')).body).toMatchObject({ code: 'LoginFailed' })
    expect((await login(password)).body).toMatchObject({ code: 'Banned', message: expect.stringContaining('Fotoğraf') })
    // A member's ban does not cover the address.
    expect((await signInGuestFrom('203.0.113.7', 'Misafirlik')).status).toBe(200)
  })

  it('[MOD-08] is lifted by name, only by root admins', async () => {
    const root = await rootAdmin()
    const papatya = await api.region.createGuest('Papatya')
    await signInGuestFrom('203.0.113.7', 'Işıl', 'tarayıcı 1')
    await ban(root.admin, 'Işıl', { duration: 'indefinite' })
    const lift = (headers: Record<string, string>) =>
      api.post(`/api/users/lift-ban/${encodeURIComponent('IŞIL')}`, {}, headers)
    expect((await lift(bearer(papatya.token))).status).toBe(403)
    expect((await lift(root.admin)).body).toEqual({ success: true })
    expect((await lift(root.admin)).body).toMatchObject({ code: 'NotFound', message: 'Bu kullanıcı yasaklı değil.' })
    expect((await signInGuestFrom('203.0.113.7', 'Yenisi', 'tarayıcı 1')).status).toBe(200)
  })

  it('[MOD-08] [MOD-09] is listed for root admins with its terms, and only they get userBanned and banLifted', async () => {
    const root = await rootAdmin()
    const otherRoot = await connectTo(await api.region.createRootAdmin('Öteki'), 1)
    const guest = await connectTo(await api.region.createGuest('Papatya'), 1)
    await signInGuestFrom('203.0.113.7', 'Kaba')
    await member('Ozan', 'çok gizli parola')
    await ban(root.admin, 'Kaba', { duration: '1hr' })
    await ban(root.admin, 'Ozan', { duration: 'indefinite', banReason: 'Diğer' })
    const { body } = await api.get('/api/users/banned-users', root.admin)
    expect(body).toMatchObject({
      success: true,
      next: null,
      bannedUsers: [
        {
          username: 'Ozan',
          isGuest: false,
          duration: 'indefinite',
          banReason: 'Diğer',
          endsAt: null,
          bannedBy: 'Yönetici',
        },
        { username: 'Kaba', isGuest: true, duration: '1hr', banReason: 'Uygunsuz Mesaj', bannedBy: 'Yönetici' },
      ],
    })
    const [, kaba] = body.bannedUsers as { at: number; endsAt: number }[]
    expect((kaba?.endsAt ?? 0) - (kaba?.at ?? 0)).toBe(60 * MINUTE_MS)
    expect(await otherRoot.waitForEvent('userBanned', ({ username }) => username === 'Ozan')).toMatchObject({
      banReason: 'Diğer',
    })
    await api.post('/api/users/lift-ban/Ozan', {}, root.admin)
    await otherRoot.waitForEvent('banLifted', ({ username }) => username === 'Ozan')
    expect([guest.countEvents('userBanned'), guest.countEvents('banLifted')]).toEqual([0, 0])
    await expect(bannedNames(root.admin)).resolves.toEqual(['Kaba'])

    const getProfile = async (headers: Record<string, string>) =>
      (await api.get('/api/users/username/Kaba', headers)).body.user
    expect(await getProfile(bearer(root.token))).toMatchObject({ isBanned: true })
    expect(await getProfile(bearer((await api.region.createGuest('Lale')).token))).not.toHaveProperty('isBanned')
    expect((await api.get('/api/users/banned-users', bearer(root.token))).status).toBe(403)
  })

  it('[MOD-15] is neither bypassed by a forged address nor applied to others by one', async () => {
    const root = await rootAdmin()
    // The client can forge every address before the one that the proxy appended.
    await signInGuestFrom('198.51.100.1, 203.0.113.7', 'Kaba', 'tarayıcı 1')
    await ban(root.admin, 'Kaba')
    expect((await signInGuestFrom('192.0.2.44, 203.0.113.7', 'Yenisi', 'tarayıcı 2')).status).toBe(403)
    expect((await signInGuestFrom('198.51.100.1', 'Komşu', 'tarayıcı 3')).status).toBe(200)
  })
})

it('[MOD-15] a ban does not cover everybody behind an untrusted proxy', async () => {
  const apiWithoutProxy = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, site) =>
    moderationRoutes(app, site.appContext),
  )
  const signIn = (username: string, headers = {}) =>
    apiWithoutProxy.post('/api/users/guest-login', { username }, headers)
  const root = await apiWithoutProxy.region.createRootAdmin('Yönetici')
  const ban = async (username: string) =>
    await apiWithoutProxy.region.appContext.execute(banUser, root, {
      username,
      duration: 'indefinite',
      banReason: 'Diğer',
    })
  const behindProxy = { 'x-forwarded-for': '203.0.113.7' }
  await signIn('Kaba', behindProxy)
  await ban('Kaba')
  expect((await signIn('Papatya', behindProxy)).status).toBe(200)
  await signIn('Yerli')
  await ban('Yerli')
  expect((await signIn('Komşu')).status).toBe(403)
  await apiWithoutProxy.close()
})

it('[MOD-02] formats the end of a ban in Turkish and in the time of Türkiye', () => {
  const endsAt = Date.parse('2026-11-21T20:15:00Z')
  expect(formatBanNotice({ banReason: 'Diğer', endsAt })).toBe(
    'Siteden yasaklandın. Sebep: Diğer. Bitiş: 21 Kasım 23:15.',
  )
})

async function bannedNames(admin: Record<string, string>): Promise<string[]> {
  const { body } = await api.get('/api/users/banned-users', admin)
  return (body.bannedUsers as { username: string }[]).map(({ username }) => username)
}
