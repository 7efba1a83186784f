import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { banUser } from '../moderation/ban-user.ts'
import { liftBan } from '../moderation/lift-ban.ts'

const PASSWORD = 'çok gizli parola'
const BROWSER_ID = '5f3c1c1e-7a53-4c3e-9d55-0d6a1f0c0001'
const OTHER_ID = '5f3c1c1e-7a53-4c3e-9d55-0d6a1f0c0002'

interface Entered {
  status: number
  code: unknown
  token: string
  /** The value of the browser's cookie; null when the answer has none. */
  cookie: string | null
}

interface From {
  address?: string
  browserId?: string
  cookie?: string | null
  token?: string
}

let api: TestApi
let root: TestUser
beforeEach(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_TRUSTED_PROXIES: '127.0.0.1' })
  root = await api.region.createRootAdmin('Yönetici')
})
afterEach(() => api.close())

let addresses = 0
/** Without an address each request comes from another one. */
async function enter(path: string, fields: object, from: From): Promise<Entered> {
  const { address = `203.0.113.${++addresses}`, browserId, cookie, token } = from
  const response = await api.post(
    `/api/users/${path}`,
    { ...fields, ...(browserId !== undefined && { browserId }) },
    {
      'x-forwarded-for': address,
      ...(cookie && { cookie: `meydan_browser=${cookie}` }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  )
  return {
    status: response.status,
    code: response.body.code,
    token: String(response.body.token),
    cookie: browserCookieOf(response.headers),
  }
}

function browserCookieOf(headers: Headers): string | null {
  const line = headers.getSetCookie().find((each) => each.startsWith('meydan_browser='))
  return /=([^;]*)/.exec(line ?? '')?.[1] ?? null
}

const guest = (username: string, from: From) => enter('guest-login', { username }, from)
const login = (username: string, from: From) => enter('login', { username, password: PASSWORD }, from)
const register = (username: string, from: From) =>
  enter('register', { username, password: PASSWORD, age: 30, termsAccepted: true }, from)

/** A hello with this token; the connection comes with the cookie and address of a browser. */
async function hello(token: string, { address, browserId = BROWSER_ID, cookie = null }: From) {
  const client = api.region.openConnection(address, cookie)
  return { client, answer: await client.request('hello', { protocol: 1, token, browserId, platform: 'web' }) }
}

const asActor = ({ userId, sessionId }: TestUser) => ({ userId, sessionId })

async function ban(username: string): Promise<void> {
  const terms = { username, duration: '1hr', banReason: 'Diğer' } as const
  expect(await api.region.appContext.execute(banUser, asActor(root), terms)).toHaveProperty('success')
}

function changeDatabase(statement: string, ...params: string[]): void {
  const db = new Sqlite(api.region.appContext.config.databaseFile, { timeout: 5_000 })
  db.prepare(statement).run(...params)
  db.close()
}

function makeOld(username: string): void {
  changeDatabase('update user set termsAcceptedAt = 0 where username = ?', username)
}

describe('a person who is banned as a guest', () => {
  it('[MOD-24] is refused with a second session of the same browser, which ends at once', async () => {
    const first = await guest('Kaba', { browserId: BROWSER_ID })
    const second = await guest('Kibar', { browserId: OTHER_ID, cookie: first.cookie })
    const bystander = await guest('Komşu', { browserId: 'başka' })
    const open = await hello(second.token, { browserId: OTHER_ID, cookie: first.cookie })
    const near = await hello(bystander.token, { browserId: 'başka' })
    await ban('Kaba')
    await open.client.waitForEvent('systemBannedNotification')
    await open.client.waitForEvent('forceDisconnect')
    expect(open.client.transport.closeCode).toBe(4403)
    expect((await hello(second.token, {})).answer).toMatchObject({ code: 'Banned' })
    expect(near.client.countEvents('systemBannedNotification')).toBe(0)
    expect(await near.client.request('getRooms', {})).toHaveProperty('rooms')

    await api.region.appContext.execute(liftBan, asActor(root), { username: 'Kibar' })
    expect(await guest('Üçüncü', { browserId: BROWSER_ID, cookie: first.cookie })).toMatchObject({ status: 200 })
  })

  it('[MOD-24] is refused as a new member of that browser, and not as one who registered long ago', async () => {
    const { cookie } = await guest('Kaba', { browserId: BROWSER_ID })
    await register('Yeni', { browserId: OTHER_ID, cookie })
    await register('Eski', { browserId: OTHER_ID, cookie })
    makeOld('Eski')
    await ban('Kaba')
    expect(await login('Yeni', { browserId: 'temiz' })).toMatchObject({ status: 403, code: 'Banned' })
    expect(await login('Eski', { browserId: 'temiz' })).toMatchObject({ status: 200 })
  })

  it('[MOD-23] is refused with another browser id and the same cookie, and with the same id without the cookie', async () => {
    const { cookie } = await guest('Kaba', { browserId: BROWSER_ID })
    await ban('Kaba')
    for (const from of [{ browserId: OTHER_ID, cookie }, { cookie }, { browserId: BROWSER_ID }]) {
      expect(await guest('Yepyeni', from)).toMatchObject({ status: 403, code: 'Banned' })
      expect(await register('Yepyeni', from)).toMatchObject({ status: 403, code: 'Banned' })
    }
    const stranger = await guest('Yepyeni', { browserId: OTHER_ID })
    expect((await hello(stranger.token, { browserId: OTHER_ID, cookie })).answer).toMatchObject({ code: 'Banned' })
  })

  it('[MOD-23] is refused with each id that the browser has shown, also in a hello', async () => {
    const { token } = await guest('Kaba', { browserId: BROWSER_ID })
    const { client } = await hello(token, { browserId: OTHER_ID })
    await client.request('getRooms', {})
    await api.region.createGuest('Sonraki') // the fingerprints of the hello are written by now
    await ban('Kaba')
    for (const browserId of [BROWSER_ID, OTHER_ID])
      expect(await guest('Yepyeni', { browserId })).toMatchObject({ status: 403, code: 'Banned' })
  })

  it('[MOD-25] signs in as a member from another browser only, also at the banned address', async () => {
    await register('Üye', { browserId: 'evdeki' })
    makeOld('Üye')
    await guest('Kaba', { browserId: BROWSER_ID, address: '198.51.100.7' })
    await ban('Kaba')
    expect(await login('Üye', { browserId: BROWSER_ID })).toMatchObject({ status: 403, code: 'Banned' })
    const { status, token } = await login('Üye', { browserId: 'evdeki', address: '198.51.100.7' })
    expect(status).toBe(200)
    expect((await hello(token, { browserId: 'evdeki', address: '198.51.100.7' })).answer).toHaveProperty('user')
    expect((await hello(token, { browserId: BROWSER_ID })).answer).toMatchObject({ code: 'Banned' })
    expect(await register('Taze', { browserId: 'temiz', address: '198.51.100.7' })).toMatchObject({ code: 'Banned' })
  })

  it('[MOD-06] is refused at the latest address, and neighbours at the earlier ones are not', async () => {
    const [home, mobile] = ['198.51.100.1', '198.51.100.2']
    const { token } = await guest('Kaba', { browserId: BROWSER_ID, address: mobile })
    changeDatabase('update accountMark set lastSeenAt = lastSeenAt - 1000')
    await guest('Kaba', { browserId: BROWSER_ID, address: home, token })
    await ban('Kaba')
    expect(await guest('Komşu', { browserId: 'komşu', address: mobile })).toMatchObject({ status: 200 })
    expect(await guest('Yepyeni', { browserId: 'temiz', address: home })).toMatchObject({ status: 403, code: 'Banned' })
  })

  it('[MOD-23] is refused with another browser id and the token of an earlier session of the browser', async () => {
    const { token } = await register('Üye', { browserId: BROWSER_ID })
    makeOld('Üye')
    await guest('Kaba', { browserId: BROWSER_ID })
    await ban('Kaba')
    expect((await hello(token, { browserId: OTHER_ID })).answer).toMatchObject({ code: 'Banned' })
  })

  it('[MOD-27] does not keep a root admin out of the same browser', async () => {
    const { cookie } = await guest('Kaba', { browserId: BROWSER_ID })
    await ban('Kaba')
    expect((await hello(root.token, { browserId: BROWSER_ID, cookie })).answer).toHaveProperty('user')
  })
})

it('[MOD-26] a banned member is no new guest and no new member of the same browser, and others of the address are', async () => {
  const { cookie } = await register('Üye', { browserId: BROWSER_ID, address: '198.51.100.9' })
  makeOld('Üye')
  await ban('Üye')
  for (const from of [{ browserId: BROWSER_ID }, { browserId: OTHER_ID, cookie }]) {
    expect(await guest('Konuk', from)).toMatchObject({ status: 403, code: 'Banned' })
    expect(await register('Yeniden', from)).toMatchObject({ status: 403, code: 'Banned' })
  }
  expect(await guest('Komşu', { browserId: 'komşu', address: '198.51.100.9' })).toMatchObject({ status: 200 })
})

it('[MOD-28] a forged X-Forwarded-For on a network without a proxy does not leave the ban of the address', async () => {
  const plain = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' })
  const admin = await plain.region.createRootAdmin('Yönetici')
  const signIn = (username: string, headers = {}) => plain.post('/api/users/guest-login', { username }, headers)
  await signIn('Kaba')
  const terms = { username: 'Kaba', duration: '1hr', banReason: 'Diğer' } as const
  await plain.region.appContext.execute(banUser, asActor(admin), terms)
  for (const headers of [{}, { 'x-forwarded-for': '198.51.100.1' }, { forwarded: 'for=198.51.100.1' }])
    expect(await signIn('Yepyeni', headers)).toMatchObject({ status: 403, body: { code: 'Banned' } })
  await plain.close()
})

it('[MOD-29] the cookie of a browser is set at a sign-in without it, hidden from scripts and kept at a log-out', async () => {
  const response = await api.post('/api/users/guest-login', { username: 'Papatya', browserId: BROWSER_ID })
  const line = response.headers.getSetCookie().find((each) => each.startsWith('meydan_browser='))
  expect(line).toContain(`meydan_browser=${BROWSER_ID};`)
  expect(line).toMatch(/; HttpOnly/)
  expect(line).toMatch(/; SameSite=Lax/)
  const again = await guest('Lale', { browserId: OTHER_ID, cookie: BROWSER_ID })
  expect(again.cookie).toBeNull()
  expect((await guest('Menekşe', { browserId: 'kısa' })).cookie).toMatch(/^[\w-]{36}$/)
  const bearer = { authorization: `Bearer ${again.token}` }
  const loggedOut = await api.post('/api/users/logout', {}, { ...bearer, cookie: `meydan_browser=${BROWSER_ID}` })
  expect([loggedOut.status, browserCookieOf(loggedOut.headers)]).toEqual([200, null])
})
