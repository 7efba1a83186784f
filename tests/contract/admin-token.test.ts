import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '../../src/server/accounts/tokens/tokens.ts'
import { routes } from '../../src/server/protocol/catalogue.ts'
import type { RouteSpec } from '../../src/shared/protocol/define.ts'
import { type HttpRegion, startHttpRegion } from './http-region.ts'

const HOUR_MS = 60 * 60_000

/** The codes of an empty input that passed authorization. */
const ALLOWED_CODE = expect.not.stringMatching(/^(?:Forbidden|NotSignedIn|SessionEnded)$/)

let site: HttpRegion
let person: { userId: number; sessionId: number; token: string }
let guest: { userId: number; sessionId: number }
let demoted: { adminToken: string; token: string }

async function send(method: string, path: string, token: string, body = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
  return { code: 'ok', ...((await answer.json()) as object) } // every answer below /api is an object
}

/** Fresh tokens for a session, as its page asks for them. */
async function refreshTokens(token: string): Promise<{ token: string; adminToken: string }> {
  const answer = await send('POST', '/users/refresh-token', token)
  return { token: String(answer.token), adminToken: String(answer.adminToken) }
}

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  // The first user is the one that paths name: root admins may not ask for reports about themselves.
  guest = await site.region.createGuest('gezgin')
  person = await site.region.createRootAdmin('duran')
  const other = await site.region.createRootAdmin('düşen')
  demoted = await refreshTokens(other.token)
  const { adminToken } = await refreshTokens(person.token)
  const done = await send('POST', '/root-admin/demote-user-to-rootadmin', adminToken, { username: 'düşen' })
  expect(done).toMatchObject({ success: true })
})
afterAll(() => site.close())

const adminRoutes = Object.values<RouteSpec>(routes).filter(({ access }) => access === 'rootadmin')

describe.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const { method, path } = route
  const codeFor = async (token: string) => (await send(method, path.replace(/:(\w+)/g, '1'), token)).code

  it('[ACC-62] refuses user tokens and the admin token of a demoted root admin', async () => {
    expect(await codeFor(demoted.token)).toBe('Forbidden')
    expect(await codeFor(demoted.adminToken)).toBe('Forbidden')
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

  it('[ACC-62] refuses an expired admin token and accepts the refreshed one', async () => {
    const { keys, clock } = site.region.appContext
    const [fresh, old] = [clock(), clock() - HOUR_MS / 4]
    expect(await codeFor(await signToken(keys, 'adminToken', person, fresh))).toEqual(ALLOWED_CODE)
    expect(await codeFor(await signToken(keys, 'adminToken', person, old))).toBe('SessionEnded')
    // By a user token that has run out as well, as after a night's sleep.
    const asleep = await signToken(keys, 'userToken', person, clock() - 8 * HOUR_MS)
    expect(await codeFor((await refreshTokens(asleep)).adminToken)).toEqual(ALLOWED_CODE)
  })
})
