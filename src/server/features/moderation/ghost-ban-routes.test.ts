import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { userById } from '../../model/accounts/queries.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { sendHello, type TestClient, type TestRootAdmin, type TestUser } from '../../testing/fixtures/test-region.ts'
import { moderationRoutes } from './feature.ts'

let api: TestApi
let root: TestRootAdmin
let rootClient: TestClient
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_TRUSTED_PROXIES: '127.0.0.1' }, (app, _, site) =>
    moderationRoutes(app, site.appContext),
  )
  root = await api.region.createRootAdmin('yönetici')
  rootClient = await api.region.connectAs(root)
})
afterEach(() => api.close())

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })

/** Signs a guest in from an address through the trusted proxy, with a browser's id; `isForm` as a page without JavaScript. */
async function guestLogin(username: string, browserId: string, address: string, isForm = false) {
  const headers = { 'x-forwarded-for': address }
  if (isForm) await api.postForm('/api/users/guest-login', { username, browserId }, headers)
  const response = await api.post('/api/users/guest-login', { username, browserId }, headers)
  return { ...response, token: String(response.body.token), userId: (response.body.user as { id: number }).id }
}

function ghostBan(username: string, more: { isGuest?: boolean; targetUserId?: number } = {}) {
  return rootClient.request('ghostBanGuest', {
    username,
    banDuration: '1hr',
    banReason: 'Sebep yok',
    isGuest: true,
    ...more,
  })
}

const isGhost = ({ userId }: { userId: number }) =>
  api.region.appContext.reader.get(userById, { id: userId })?.isGhost === 1
const isGhostOfConnection = (userId: number) =>
  api.region.appContext.presence.connectionsOf(userId).map(({ state }) => state.identity.viewer.isGhost)

it('[GHOST-01] ghostBanGuest refuses a member, and a name that another user has by now', async () => {
  await api.region.createMember('ozan')
  const kaba = await api.region.createGuest('kaba')
  expect(await ghostBan('ozan')).toMatchObject({ code: 'Forbidden' })
  expect(await ghostBan('kaba', { isGuest: false })).toMatchObject({ code: 'Forbidden' })
  expect(await ghostBan('kaba', { targetUserId: kaba.userId + 1 })).toMatchObject({ code: 'NotFound' })
  expect(isGhost(kaba)).toBe(false)
})

it('[GHOST-02] tells root admins alone, and lists the ban with its kind', async () => {
  const kaba = await api.region.createGuest('kaba')
  const clients = [
    await api.region.connectAs(kaba, 1),
    await api.region.connectAs(await api.region.createGuest('can'), 1),
  ]
  await ghostBan('kaba')
  await rootClient.waitForEvent('ghostBanned', ({ userId }) => userId === kaba.userId)
  const admin = bearer({ token: root.adminToken })
  expect((await api.get('/api/users/banned-users', admin)).body.bannedUsers).toMatchObject([
    { kind: 'ghost', username: 'kaba', banReason: 'Sebep yok', duration: '1hr', bannedBy: 'yönetici' },
  ])
  await api.post('/api/users/lift-ban/kaba', {}, admin)
  await rootClient.waitForEvent('ghostBanLifted', ({ userId }) => userId === kaba.userId)
  for (const client of clients)
    for (const name of ['ghostBanned', 'ghostBanLifted', 'banLifted', 'actionRecorded', 'forceDisconnect'] as const)
      expect(client.countEvents(name)).toBe(0)
})

it('[GHOST-10] the connections of a ghost follow the ban, and know it from hello on', async () => {
  const kaba = await api.region.createGuest('kaba')
  await api.region.connectAs(kaba, 1)
  expect(isGhostOfConnection(kaba.userId)).toEqual([false])
  await ghostBan('kaba')
  expect(isGhostOfConnection(kaba.userId)).toEqual([true])
  await sendHello(api.region.openConnection(), kaba)
  expect(isGhostOfConnection(kaba.userId)).toEqual([true, true])
})

describe('guest login', () => {
  it.each([
    ['by the API', false],
    ['by the form', true],
  ])('[GHOST-04] covers the same browser and the same address %s, with an answer like any other', async (_, isForm) => {
    const kaba = await guestLogin('kaba', 'tarayıcı 1', '203.0.113.7', isForm)
    await ghostBan('kaba')
    const [later, neighbour, other] = [
      await guestLogin('sonra', 'tarayıcı 1', '198.51.100.1', isForm),
      await guestLogin('komşu', 'tarayıcı 2', '203.0.113.7', isForm),
      await guestLogin('uzak', 'tarayıcı 3', '198.51.100.3', isForm),
    ]
    expect([kaba, later, neighbour, other].map(isGhost)).toEqual([true, true, true, false])
    const shapeOf = ({ status, body }: typeof kaba) => [status, Object.keys(body), Object.keys(body.user as object)]
    expect(shapeOf(later)).toEqual(shapeOf(other))
  })
})

it('[GHOST-09] refresh-token answers a ghost as before, and only root admins see the mark in a profile', async () => {
  const kaba = await api.region.createGuest('kaba')
  const can = await api.region.createGuest('can')
  const refresh = async () => {
    const { status, body } = await api.post('/api/users/refresh-token', {}, bearer(kaba))
    return [status, JSON.stringify(body, (key, value) => (['token', 'time'].includes(key) ? null : value))]
  }
  const profile = async (by: TestUser) => (await api.get('/api/users/username/kaba', bearer(by))).body.user
  const before = [await refresh(), await profile(kaba)]
  await ghostBan('kaba')
  expect([await refresh(), await profile(kaba)]).toEqual(before)
  expect(await profile(root)).toMatchObject({ isGhost: true })
  for (const by of [kaba, can]) expect(await profile(by)).not.toHaveProperty('isGhost')
})
