import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ApiResponse, openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import { openTestDatabase } from '../../../testing/fixtures/test-database.ts'
import { sendHello, type TestClient, type TestRootAdmin, type TestUser } from '../../../testing/fixtures/test-region.ts'
import { moderationRoutes } from '../../moderation/feature.ts'
import { presenceRoutes } from '../../presence/routes.ts'
import { verifyToken } from '../tokens/tokens.ts'
import { roleRoutes } from './routes.ts'

let api: TestApi
let admin: TestRootAdmin
let signInCount = 0
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, _, site) => {
    roleRoutes(app, site.appContext)
    presenceRoutes(app, site.appContext)
    moderationRoutes(app, site.appContext)
  })
  admin = await rootAdmin('Başkan')
})
afterAll(() => api.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const refreshTokens = async ({ token }: TestUser) =>
  (await api.post('/api/users/refresh-token', {}, bearer(token))).body

/** Gives a client and its user the tokens of the session after a change of role. */
async function renewSession(client: TestClient, person: TestUser): Promise<void> {
  await client.waitForEvent('sessionReplaced', ({ isRenewable }) => isRenewable === true)
  person.token = String((await refreshTokens(person)).token)
  expect(await client.request('userConnected', { token: person.token })).toEqual({ success: true })
  person.sessionId = await sessionIdOf(person)
}

const sessionIdOf = async ({ token }: TestUser) =>
  (await verifyToken(api.region.appContext.keys, 'userToken', token, api.region.appContext.clock()))?.sessionId ?? 0

const rootAdmin = (username: string): Promise<TestRootAdmin> => api.region.createRootAdmin(username)

/** Creates a member with a session. */
async function member(username: string): Promise<TestUser> {
  const person = await api.region.createRootAdmin(username)
  const db = new Sqlite(api.region.appContext.config.databaseFile, { timeout: 5_000 })
  db.prepare("update user set role = 'member' where id = ?").run(person.userId)
  db.close()
  return person
}

const change = (to: 'promote' | 'demote', username: unknown, { adminToken } = admin): Promise<ApiResponse> =>
  api.post(`/api/root-admin/${to}-user-to-rootadmin`, { username }, bearer(adminToken))
const listAllUsers = async (token: string) => (await api.get('/api/users/all-users', bearer(token))).body
const receivedUpdatesOf = (client: TestClient, { userId }: TestUser) =>
  client.waitForEvent('userProfileUpdated', ({ user }) => (user as { id: number }).id === userId)
const receivedRoleUpdates = (client: TestClient, { username }: TestUser, role: string) =>
  client.waitForEvent('userRoleUpdated', (payload) => payload.username === username && payload.role === role)
const countAt = (client: TestClient, name: 'activeUsers' | 'userJoined' | 'userLeft') => client.countEvents(name)

describe('a promoted member', () => {
  it('[ACC-58] is a root admin at once in the open session, and everyone gets userRoleUpdated', async () => {
    const person = await member('Yükselen')
    const own = await api.region.connectAs(person, 1)
    const bystander = await api.region.connectAs(await api.region.createGuest('Gören'), 2)
    const adminToken = await api.region.signAdminToken(person)
    expect((await listAllUsers(adminToken)).code).toBe('Forbidden')

    expect((await change('promote', 'yükselen')).body).toEqual({ success: true })
    expect((await listAllUsers(adminToken)).code).toBe('SessionEnded')
    await renewSession(own, person)
    for (const client of [own, bystander]) {
      expect(await receivedUpdatesOf(client, person)).toMatchObject({
        user: { username: 'Yükselen', role: 'rootadmin' },
      })
      expect(await receivedRoleUpdates(client, person, 'rootadmin')).toEqual({
        username: 'Yükselen',
        role: 'rootadmin',
      })
    }
    expect((await refreshTokens(person)).user).toMatchObject({ role: 'rootadmin' })
    expect((await listAllUsers(await api.region.signAdminToken(person))).success).toBe(true)
    expect(own.transport.closeCode).toBeNull()
  })

  it('[ACC-61] receives the site’s presence from then on, and another member receives none', async () => {
    const watcher = await api.region.connectAs(admin, 2)
    const bystander = await api.region.connectAs(await member('Üye'), 1)
    const person = await member('Dinleyen')
    const own = await api.region.connectAs(person, 1)
    // By now the presence events of the join have been sent.
    await watcher.waitForEvent('userJoined', ({ user }) => (user as { id: number }).id === person.userId)
    await change('promote', 'Dinleyen')
    await renewSession(own, person)
    const users = (await own.waitForEvent('activeUsers')).users as { username: string; role: string }[]
    expect(users.find(({ username }) => username === 'Dinleyen')).toMatchObject({ role: 'rootadmin' })
    const newcomer = await api.region.connectAs(await api.region.createGuest('Sonradan'), 2)
    for (const client of [own, watcher]) {
      await client.waitForEvent('userJoined', ({ user }) => (user as { username: string }).username === 'Sonradan')
    }
    for (const client of [bystander, newcomer]) {
      expect([countAt(client, 'activeUsers'), countAt(client, 'userJoined')]).toEqual([0, 0])
    }
    expect(await own.request('banUser', { ...ban, targetname: 'kimse' })).toMatchObject({ code: 'PasswordRequired' })
    await own.request('adminConnected', { adminToken: await api.region.signAdminToken(person) })
    expect(await own.request('banUser', { ...ban, targetname: 'kimse' })).toMatchObject({ code: 'NotFound' })
    expect(await bystander.request('banUser', { ...ban, targetname: 'kimse' })).toMatchObject({ code: 'Forbidden' })
  })
})

describe('the log of role changes', () => {
  it('[ACC-66] records actor, target and both roles, and skips changes without effect', async () => {
    const logInfo = vi.spyOn(api.region.appContext.log, 'info')
    onTestFinished(() => logInfo.mockRestore())
    const person = await member('Anılan')
    for (const to of ['promote', 'promote', 'demote', 'demote'] as const) await change(to, 'Anılan')
    await change('demote', 'Başkan')
    await change('promote', 'kimse')
    const ids = { actorId: admin.userId, targetId: person.userId }
    expect(logInfo.mock.calls).toEqual([
      [{ ...ids, before: 'member', after: 'rootadmin' }, 'role changed'],
      [{ ...ids, before: 'rootadmin', after: 'member' }, 'role changed'],
    ])
  })
})

const ban = { duration: '10min', banReason: 'Diğer' } as const

describe('a demoted root admin', () => {
  it('[ACC-58] [ACC-62] is a member at once, and the admin token is refused', async () => {
    const person = await rootAdmin('Düşen')
    const own = await api.region.connectAs(person, 1)
    expect((await listAllUsers(person.adminToken)).success).toBe(true)
    expect((await change('demote', 'Düşen')).body).toEqual({ success: true })
    expect(await listAllUsers(person.adminToken)).toMatchObject({ code: 'SessionEnded' })
    await renewSession(own, person)
    expect(await receivedRoleUpdates(own, person, 'member')).toEqual({ username: 'Düşen', role: 'member' })

    const adminToken = await api.region.signAdminToken(person)
    expect(await listAllUsers(adminToken)).toMatchObject({ code: 'Forbidden' })
    expect((await change('promote', 'Düşen', { ...person, adminToken })).body).toMatchObject({ code: 'Forbidden' })
    expect(await own.request('banUser', { ...ban, targetname: 'Başkan' })).toMatchObject({ code: 'Forbidden' })
    const { token, user, ...more } = await refreshTokens(person)
    expect([user, more]).toEqual([expect.objectContaining({ role: 'member' }), { success: true }])
    expect((await api.get('/api/users/username/Düşen', bearer(String(token)))).status).toBe(200)
    expect(own.transport.closeCode).toBeNull()
  })

  it('[ACC-61] receives no further events for root admins', async () => {
    const person = await rootAdmin('Susan')
    const own = await api.region.connectAs(person, 1)
    const watcher = await api.region.connectAs(admin, 1)
    await own.waitForEvent('activeUsers')
    await change('demote', 'Susan')
    await renewSession(own, person)
    await receivedRoleUpdates(own, person, 'member')
    expect(await own.waitForEvent('activeUsersCount')).toEqual({ count: expect.any(Number) })
    const before = [countAt(own, 'activeUsers'), countAt(own, 'userJoined'), countAt(own, 'userLeft')]

    const guest = await api.region.createGuest('Yasaklanacak')
    const guestClient = await api.region.connectAs(guest, 2)
    await watcher.waitForEvent('userJoined', ({ user }) => (user as { id: number }).id === guest.userId)
    const terms = { username: 'Yasaklanacak', ...ban }
    await api.post('/api/users/ban', terms, bearer(admin.adminToken))
    await guestClient.waitForEvent('systemBannedNotification')
    await watcher.waitForEvent('userBanned')
    await watcher.waitForEvent('userLeft')
    // A later event of the log has arrived, so these would have arrived too.
    await change('promote', 'Üye')
    await own.waitForEvent('userRoleUpdated', ({ username }) => username === 'Üye')
    expect([countAt(own, 'activeUsers'), countAt(own, 'userJoined'), countAt(own, 'userLeft')]).toEqual(before)
    expect(own.countEvents('userBanned')).toBe(0)
  })

  it('[ACC-61] resumes as a member without a replay of events for root admins', async () => {
    const person = await rootAdmin('Dönen')
    const cursor = api.region.appContext.publisher.cursor()
    await change('demote', 'Dönen')
    await api.region.createGuest('Araya')
    await api.post('/api/users/ban', { username: 'Araya', ...ban }, bearer(admin.adminToken))
    const client = api.region.openConnection()
    person.token = String((await refreshTokens(person)).token)
    expect(await sendHello(client, person, { cursor })).toMatchObject({ resumed: true, user: { role: 'member' } })
    await receivedRoleUpdates(client, person, 'member')
    expect(client.countEvents('userBanned')).toBe(0)
  })
})

describe('changeRole', () => {
  it.each([
    ['a guest', 'promote', 'Misafircik', 'Forbidden', 'Misafirlere yetki verilemez, önce üye olmalılar.'],
    ['a guest', 'demote', 'Misafirgil', 'Forbidden', 'Misafirlere yetki verilemez, önce üye olmalılar.'],
    ['oneself', 'demote', 'BAŞKAN', 'Forbidden', 'Kendi yetkini değiştiremezsin.'],
    ['oneself', 'promote', 'Başkan', 'Forbidden', 'Kendi yetkini değiştiremezsin.'],
    ['an unknown name', 'promote', 'hiçkimse', 'NotFound', 'Kullanıcı bulunamadı.'],
    ['an unknown name', 'demote', 'hiçkimse', 'NotFound', 'Kullanıcı bulunamadı.'],
    ['a banned member', 'promote', 'Yasaklı', 'Forbidden', 'Yasaklı bir kullanıcıya yetki verilemez.'],
  ] as const)('[ACC-59] refuses %s as target (%s)', async (target, to, username, code, message) => {
    if (target === 'a guest') await api.region.createGuest(username)
    if (target === 'a banned member') {
      await member(username)
      await api.post('/api/users/ban', { username, ...ban, duration: 'indefinite' }, bearer(admin.adminToken))
    }
    const bystander = await api.region.connectAs(await api.region.createGuest(`tanık${++signInCount}`))
    expect((await change(to, username)).body).toMatchObject({ success: false, code, message })
    expect(bystander.countEvents('userRoleUpdated')).toBe(0)
  })

  it.each([null, '', 7, {}, 'x'.repeat(65), ['Başkan']])('[ACC-59] refuses %j as username', async (username) => {
    for (const to of ['promote', 'demote'] as const) {
      expect((await change(to, username)).body).toMatchObject({ code: 'InvalidInput' })
    }
  })

  it('[ACC-58] sends no event when the role stays the same', async () => {
    await rootAdmin('Zaten')
    await member('Hâlâ')
    const bystander = await api.region.connectAs(await api.region.createGuest('Duyan'), 1)
    for (const [to, username] of [
      ['promote', 'Zaten'],
      ['demote', 'Hâlâ'],
    ] as const) {
      expect((await change(to, username)).body).toEqual({ success: true })
    }
    await change('promote', 'Hâlâ')
    await bystander.waitForEvent('userRoleUpdated')
    expect([bystander.countEvents('userRoleUpdated'), bystander.countEvents('userProfileUpdated')]).toEqual([1, 1])
  })

  it('[ACC-59] refuses the second of two root admins who demote each other in one batch', async () => {
    const db = await openTestDatabase()
    const [one, other] = [db.addMember('bir', 'rootadmin'), db.addMember('iki', 'rootadmin')]
    const jobs = [
      { id: 1, actor: { userId: one, sessionId: one }, input: { username: 'iki', role: 'member' } },
      { id: 2, actor: { userId: other, sessionId: other }, input: { username: 'bir', role: 'member' } },
    ].map((job) => ({ command: 'changeRole' as const, clientId: null, ...job }))
    const { results } = db.writer.runBatch(jobs)
    expect(results.map(({ answer, refusal }) => refusal?.code ?? answer)).toEqual([
      { targetId: other, previousRole: 'rootadmin' },
      'SessionEnded',
    ])
    const roles = db.db.prepare('select username, role from user where id in (?, ?) order by id').all(one, other)
    expect(roles).toEqual([
      { username: 'bir', role: 'rootadmin' },
      { username: 'iki', role: 'member' },
    ])
    await db.close()
  })
})
