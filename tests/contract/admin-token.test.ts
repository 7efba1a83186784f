import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signToken, verifyToken } from '../../src/server/features/accounts/tokens/tokens.ts'
import {
  sendHello,
  type TestClient,
  type TestRootAdmin,
  type TestUser,
} from '../../src/server/testing/fixtures/test-region.ts'
import { routes } from '../../src/shared/protocol/catalogue.ts'
import type { RouteSpec } from '../../src/shared/protocol/define.ts'
import { type HttpRegion, jsonRenderer, startHttpRegion } from '../drivers/http-region.ts'

const HOUR_MS = 60 * 60_000

/** The codes of an empty input that passed authorization. */
const ALLOWED_CODE = expect.not.stringMatching(/^(?:Forbidden|NotSignedIn|SessionEnded|PasswordRequired)$/)

let site: HttpRegion
let person: TestRootAdmin
let other: TestRootAdmin
let guest: TestUser
let demoted: TestRootAdmin
/** Of the session as it is after the change of role. */
let demotedToken: string
let demotedAdminToken: string

async function send(method: string, path: string, token: string, body = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
  return { code: 'ok', ...((await answer.json()) as object) } // every answer below /api is an object
}

/** A fresh token for a session, as its page asks for it. */
async function refreshToken({ token }: TestUser): Promise<string> {
  return String((await send('POST', '/users/refresh-token', token)).token)
}

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' }, jsonRenderer)
  // The first user is the one that paths name: root admins may not ask for reports about themselves.
  guest = await site.region.createGuest('gezgin')
  person = await site.region.createRootAdmin('duran')
  other = await site.region.createRootAdmin('öteki')
  demoted = await site.region.createRootAdmin('düşen')
  const done = await send('POST', '/root-admin/demote-user-to-rootadmin', person.adminToken, { username: 'düşen' })
  expect(done).toMatchObject({ success: true })
  demotedToken = await refreshToken(demoted)
  const { keys, clock } = site.region.appContext
  const claims = await verifyToken(keys, 'userToken', demotedToken, clock())
  demotedAdminToken = claims ? await signToken(keys, 'adminToken', claims, clock()) : ''
})
afterAll(() => site.close())

const adminRoutes = Object.values<RouteSpec>(routes).filter(({ access }) => access === 'rootadmin')

describe.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const { method, path } = route
  const codeFor = async (token: string) => (await send(method, path.replace(/:(\w+)/g, '1'), token)).code

  it('[ACC-62] refuses user tokens and the admin token of a demoted root admin', async () => {
    expect(await codeFor(demotedToken)).toBe('Forbidden')
    expect(await codeFor(demotedAdminToken)).toBe('Forbidden')
    expect(await codeFor(demoted.adminToken)).toMatch(/^(?:Forbidden|SessionEnded)$/)
    // Nor to one that was never given out.
    const { keys, clock } = site.region.appContext
    expect(await codeFor(await signToken(keys, 'adminToken', guest, clock()))).toBe('Forbidden')
  })

  it('[ACC-68] answers a valid user token with Forbidden, and an expired or forged one with SessionEnded', async () => {
    const { keys, clock } = site.region.appContext
    expect(await codeFor(person.token)).toBe('Forbidden')
    expect(await codeFor(await signToken(keys, 'userToken', person, clock() - 8 * HOUR_MS))).toBe('SessionEnded')
    expect(await codeFor(`${person.token}x`)).toBe('SessionEnded')
  })

  it('[ACC-62] [ACC-100] asks for the password again 15 minutes after it was given', async () => {
    const { keys, clock } = site.region.appContext
    const [fresh, old] = [clock(), clock() - HOUR_MS / 4]
    expect(await codeFor(await signToken(keys, 'adminToken', person, fresh))).toEqual(ALLOWED_CODE)
    expect(await codeFor(await signToken(keys, 'adminToken', person, old))).toBe('PasswordRequired')
    // Of a root admin alone.
    expect(await codeFor(await signToken(keys, 'adminToken', guest, old))).toBe('Forbidden')
  })
})

describe('a copied cookie and user token of a root admin', () => {
  it('[ACC-97] get no admin token from any route or page', async () => {
    const { keys, clock } = site.region.appContext
    const cookie = `meydan_session=${await signToken(keys, 'cookie', person, clock())}`
    const headers = { 'content-type': 'application/json', origin: site.origin, cookie }
    const asMember = { ...headers, authorization: `Bearer ${person.token}` }
    const ofNobody = Object.values<RouteSpec>(routes).filter(({ access }) => access !== 'rootadmin')
    expect(ofNobody.length).toBeGreaterThan(50)
    for (const { method, path } of ofNobody.filter(({ path }) => path !== '/users/logout')) {
      const url = `${site.origin}/api${path.replace(/:(\w+)/g, '1')}`
      const answer = await fetch(url, { method, headers: asMember, ...(method !== 'GET' && { body: '{}' }) })
      expect(await answer.text(), path).not.toContain('adminToken')
    }
    const page = await fetch(`${site.origin}/room/1`, { headers })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('"rootadmin"')
    expect(html).not.toContain('adminToken')
  })

  it('[ACC-97] cannot be shown in place of an admin token, nor can one of another session or user', async () => {
    const client = site.region.openConnection()
    await sendHello(client, person)
    const ban = () => client.request('banUser', { targetname: 'gezgin', duration: '10min', banReason: 'Diğer' })
    expect(await ban()).toMatchObject({ code: 'PasswordRequired', message: 'Devam etmek için şifreni doğrula.' })
    // The event of the specification has no token, and proves nothing.
    expect(await client.request('adminConnected', { user: 'duran' })).toEqual({ success: true })
    expect(await ban()).toMatchObject({ code: 'PasswordRequired' })
    const { keys, clock } = site.region.appContext
    const foreign = [
      [person.token, 'Forbidden'],
      [await signToken(keys, 'cookie', person, clock()), 'PasswordRequired'],
      [other.adminToken, 'PasswordRequired'],
      [await signToken(keys, 'adminToken', guest, clock()), 'Forbidden'],
      [`${person.adminToken}x`, 'PasswordRequired'],
    ] as const
    for (const [adminToken, code] of foreign) {
      expect(await client.request('adminConnected', { adminToken })).toMatchObject({ code })
      expect(await ban()).toMatchObject({ code })
    }
  })
})

describe('a connection of a root admin', () => {
  const ban = (client: TestClient) =>
    client.request('banUser', { targetname: 'kimse', duration: '10min', banReason: 'Diğer' })

  it('[ACC-101] may send commands of root admins from adminConnected until the token expires', async () => {
    const [client, second] = [site.region.openConnection(), site.region.openConnection()]
    for (const each of [client, second]) await sendHello(each, person)
    const adminToken = await site.region.signAdminToken(person)
    // Not awaited: it applies to a command that follows at once.
    const shown = client.request('adminConnected', { adminToken })
    expect(await ban(client)).toMatchObject({ code: 'NotFound' })
    expect(await shown).toEqual({ success: true })
    // It applies to this connection alone.
    expect(await ban(second)).toMatchObject({ code: 'PasswordRequired' })
    site.region.clockOffset.aheadMs += 15 * 60_000
    expect(await ban(client)).toMatchObject({ code: 'PasswordRequired' })
    expect(await client.request('adminConnected', { adminToken })).toMatchObject({ code: 'PasswordRequired' })
    await client.request('adminConnected', { adminToken: await site.region.signAdminToken(person) })
    expect(await ban(client)).toMatchObject({ code: 'NotFound' })
    site.region.clockOffset.aheadMs = 0
  })

  it('[ACC-101] loses them with the role at once', async () => {
    const falling = await site.region.createRootAdmin('düşecek')
    const client = await site.region.connectAs(falling)
    expect(await ban(client)).toMatchObject({ code: 'NotFound' })
    const adminToken = await site.region.signAdminToken(person)
    await send('POST', '/root-admin/demote-user-to-rootadmin', adminToken, { username: 'düşecek' })
    await client.request('userConnected', { token: await refreshToken(falling) })
    expect(await ban(client)).toMatchObject({ code: 'Forbidden' })
  })
})
