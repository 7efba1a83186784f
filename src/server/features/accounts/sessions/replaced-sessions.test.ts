import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionEndMessages } from '../../../../shared/accounts/protocol.ts'
import { CloseCode, encode, Kind } from '../../../../shared/protocol/frame.ts'
import { MAX_SUSPENSION_MS } from '../../../kernel/live/connection.ts'
import { findUserByName } from '../../../model/accounts/queries.ts'
import { openTestApi, type TestApi } from '../../../testing/fixtures/test-api.ts'
import type { TestClient, TestUser } from '../../../testing/fixtures/test-region.ts'

const age = { password: 'dört kuş uçtu', age: 30, termsAccepted: true }

let api: TestApi
let guestCount = 0
let guest: TestUser & { cookie: string }
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
beforeEach(async () => {
  const username = `Konuk${++guestCount}`
  const { body, cookie } = await api.post('/api/users/guest-login', { username })
  const { id } = body.user as { id: number }
  guest = { userId: id, sessionId: 0, username, token: String(body.token), cookie: cookie ?? '' }
})
afterEach(() => vi.useRealTimers())
afterAll(() => api.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const register = () => api.post('/api/users/register', { username: guest.username, ...age }, bearer(guest.token))
const refresh = (headers: Record<string, string>) => api.post('/api/users/refresh-token', {}, headers)
const isLive = async (token: string) => (await api.get('/api/users/account', bearer(token))).status === 200
const speak = (client: TestClient, content: string) =>
  client.request('sendMessage', { roomId: 1, content, clientId: crypto.randomUUID() })

describe('a copied token of a guest who signs up', () => {
  it('[ACC-77] is refused by routes, refreshes, log-ins as the guest, hello and the cookie from before', async () => {
    const { body } = await register()
    expect(await isLive(guest.token)).toBe(false)
    expect((await refresh(bearer(guest.token))).body).toMatchObject({ code: 'SessionEnded' })
    expect((await refresh({ cookie: guest.cookie })).body).toMatchObject({ code: 'SessionEnded' })
    const asGuest = await api.post('/api/users/guest-login', { username: guest.username }, bearer(guest.token))
    expect(asGuest.body).toMatchObject({ code: 'UsernameTaken' })
    const late = await api.region.connectAs(guest)
    await expect.poll(() => late.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect(await isLive(String(body.token))).toBe(true)
  })

  it('[ACC-80] neither sends nor receives on its open connection, while the owner’s continues', async () => {
    const [own, copied] = [await api.region.connectAs(guest, 1), await api.region.connectAs(guest)]
    const hearer = await api.region.connectAs(await api.region.createGuest(`Duyan${guestCount}`), 1)
    api.region.clockOffset.aheadMs = 11_000 // nobody writes right after joining
    const { body } = await register()
    await copied.waitForEvent('sessionReplaced')
    const [spoken, early] = [speak(copied, 'ben çaldım'), speak(own, 'Ben erken')]
    spoken.catch(() => {}) // never answered
    expect(await own.request('userConnected', { token: String(body.token) })).toEqual({ success: true })
    expect(await early).not.toHaveProperty('code')
    await hearer.waitForEvent('message', ({ content }) => content === 'Ben erken')
    expect([hearer.countEvents('message'), copied.countEvents('message')]).toEqual([1, 0])
    expect([own.transport.closeCode, copied.transport.closeCode]).toEqual([null, null])
  })

  it('[ACC-80] has the owner’s connection receive what came meanwhile, also when the token comes in a signal', async () => {
    const own = await api.region.connectAs(guest, 1)
    const speaker = await api.region.connectAs(await api.region.createGuest(`Yazan${guestCount}`), 1)
    api.region.clockOffset.aheadMs += 11_000
    const { body } = await register()
    await own.waitForEvent('sessionReplaced')
    await speak(speaker, 'Beklerken')
    await speaker.waitForEvent('message')
    expect(own.countEvents('message')).toBe(0)
    own.sendBytes(encode([Kind.signal, 'userConnected', { token: String(body.token) }]))
    await own.waitForEvent('message', ({ content }) => content === 'Beklerken')
    await speak(speaker, 'Sonra')
    await own.waitForEvent('message', ({ content }) => content === 'Sonra')
  })

  it('[ACC-80] does not open the connection again, nor does a token of another user', async () => {
    const [copied, curious] = [await api.region.connectAs(guest), await api.region.connectAs(guest)]
    await register()
    await curious.waitForEvent('sessionReplaced')
    const { token } = await api.region.createGuest(`Öteki${guestCount}`)
    for (const [client, shown] of [
      [copied, guest.token],
      [curious, token],
    ] as const) {
      client.request('userConnected', { token: shown }).catch(() => {}) // never answered
      await expect.poll(() => client.transport.closeCode).toBe(CloseCode.notSignedIn)
    }
  })

  it('[ACC-80] loses its connection when no token comes in time', async () => {
    const copied = await api.region.connectAs(guest)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const registered = register()
    await vi.waitFor(() => expect(copied.countEvents('sessionReplaced')).toBe(1), { timeout: 10_000 })
    await registered
    expect(copied.transport.closeCode).toBeNull()
    vi.advanceTimersByTime(MAX_SUSPENSION_MS)
    expect(copied.transport.closeCode).toBe(CloseCode.notSignedIn)
  })
})

describe('a copied token with an old key', () => {
  const enter = (headers: Record<string, string>) =>
    api.post('/api/users/guest-login', { username: guest.username }, headers)
  const take = (headers: Record<string, string>) =>
    api.post('/api/users/register', { username: guest.username, ...age }, headers)
  /** The owner has used the key of a refresh for long. Returns the owner's cookie and token. */
  async function moveOn() {
    const { body, cookie } = await refresh(bearer(guest.token))
    const db = new Sqlite(api.region.appContext.config.databaseFile, { timeout: 5_000 })
    db.prepare('update session set keyUsedAt = 1 where userId = ?').run(guest.userId)
    db.close()
    return { token: String(body.token), cookie: cookie ?? '' }
  }

  it.each([
    ['a guest login', enter],
    ['a sign-up', take],
  ])('[ACC-105] neither renews nor takes the account by %s, and ends its session', async (_, send) => {
    const { token } = await moveOn()
    const answer = await send(bearer(guest.token))
    expect(answer).toMatchObject({ status: 401, cookie: null })
    expect(answer.body).toMatchObject({ code: 'SessionEnded', message: sessionEndMessages.tokenCopied })
    expect(await isLive(token)).toBe(false)
    expect(findUserByName(api.region.appContext.reader, guest.username)).toMatchObject({ isGuest: 1 })
  })

  it.each([
    ['a guest login', enter],
    ['a sign-up', take],
  ])('[ACC-105] beside the present cookie comes from the browser itself: %s continues', async (_, send) => {
    const { cookie } = await moveOn()
    const { body } = await send({ ...bearer(guest.token), cookie })
    expect(body).toMatchObject({ success: true, user: { id: guest.userId } })
  })
})

it('[ACC-72] a key whose first use cannot be recorded gives access, and the error is logged', async () => {
  const { body } = await refresh(bearer(guest.token))
  const { appContext } = api.region
  const warn = vi.spyOn(appContext.log, 'warn')
  const execute = vi.spyOn(appContext, 'execute').mockRejectedValue(new Error('the writer has ended'))
  expect(await isLive(String(body.token))).toBe(true)
  await expect.poll(() => warn.mock.calls.map(([, text]) => text)).toContain('cannot record the first use of a key')
  execute.mockRestore()
  warn.mockRestore()
})

describe('a copied token of a member whose role changes', () => {
  it('[ACC-79] gives no access, and the browser’s page and refresh bring tokens of the new session', async () => {
    const { body, cookie } = await register()
    const [token, root] = [String(body.token), await api.region.createRootAdmin(`Kök${guestCount}`)]
    const promoted = await api.region.appContext.execute((await import('../roles/change-role.ts')).changeRole, root, {
      username: guest.username,
      role: 'rootadmin',
    })
    expect(promoted).toMatchObject({ previousRole: 'member' })
    expect(await isLive(token)).toBe(false)
    for (const headers of [bearer(token), { cookie: cookie ?? '' }]) {
      const renewed = await refresh(headers)
      expect(renewed.body.user).toMatchObject({ id: guest.userId, role: 'rootadmin' })
      expect(await isLive(String(renewed.body.token))).toBe(true)
    }
  })
})
