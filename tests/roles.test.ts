import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestClient, TestPerson } from '../src/server/testing/world.ts'
import { type CommandName, commands, routes } from '../src/shared/protocol/catalogue.ts'
import type { CommandSpec, RouteSpec } from '../src/shared/protocol/define.ts'
import { type ListeningRegion, listen } from './listening-region.ts'

/** What the first gate says of an empty input: it is let through to the schema, or not. */
const passed = expect.not.stringMatching(/^(?:Forbidden|NotSignedIn|SessionEnded)$/)

/** They take a token from anyone and judge it by themselves; one of them would end what the other cases need. */
const ofTokens = new Set(['/users/logout', '/users/refresh-token'])

let site: ListeningRegion
let guest: TestPerson
let root: TestPerson
let adminToken: string
const lines: Record<string, TestClient> = {}
let outsider: TestClient

beforeAll(async () => {
  site = await listen({ MEYDAN_LIMIT_SCALE: '1000' })
  const { region, origin } = site
  guest = await region.enter('misafircik')
  root = await region.makeRootAdmin('yönetici')
  lines.nobody = region.connect()
  lines.guest = await region.join(guest)
  lines.rootadmin = await region.join(root)
  outsider = await region.join(await region.enter('seyirci'), 2)
  const headers = { authorization: `Bearer ${root.token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api/users/refresh-token`, { method: 'POST', headers, body: '{}' })
  adminToken = String(((await answer.json()) as { adminToken: string }).adminToken) // the contract of the route
})
afterAll(() => site.end())

describe.each(Object.entries<CommandSpec>(commands).filter(([name]) => name !== 'hello'))('%s', (name, { access }) => {
  it.each([
    ['nobody', { signedIn: 'NotSignedIn', member: 'NotSignedIn', rootadmin: 'NotSignedIn' }],
    ['guest', { signedIn: passed, member: 'Forbidden', rootadmin: 'Forbidden' }],
    ['rootadmin', { signedIn: passed, member: passed, rootadmin: passed }],
  ] as const)('[LIVE-31] [MOD-01] is, for %s, what the catalogue says', async (role, verdicts) => {
    const answer = await lines[role]?.request(name as CommandName, {} as never) // an empty input fits any gate
    const code = answer && 'code' in answer ? answer.code : 'ok'
    expect(code).toEqual(verdicts[access])
  })
})

describe.each(Object.entries<RouteSpec>(routes))('%s', (_, { method, path, access }) => {
  it.each([
    [
      'nobody',
      (): string | null => null,
      { anyone: passed, signedIn: 'NotSignedIn', member: 'NotSignedIn', rootadmin: 'NotSignedIn' },
    ],
    [
      'a guest',
      (): string | null => guest.token,
      { anyone: passed, signedIn: passed, member: 'Forbidden', rootadmin: 'SessionEnded' },
    ],
    [
      "a root admin's user token",
      (): string | null => root.token,
      { anyone: passed, signedIn: passed, member: passed, rootadmin: 'SessionEnded' },
    ],
    [
      "a root admin's admin token",
      (): string | null => adminToken,
      { anyone: passed, signedIn: 'SessionEnded', member: 'SessionEnded', rootadmin: passed },
    ],
  ] as const)('[LIVE-31] [MOD-01] is, for %s, what the catalogue says', async (_who, token, verdicts) => {
    if (ofTokens.has(path)) return
    const bearer: string | null = token()
    const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) }
    const filled = path.replace(/:(\w+)/g, '0')
    const answer: Response = await fetch(`${site.origin}/api${filled}`, {
      method,
      headers,
      ...(method !== 'GET' && { body: '{}' }),
    })
    const { code = 'ok' } = (await answer.json()) as { code?: string } // as every answer below /api
    expect(code).toEqual(verdicts[access])
  })
})

it('[MOD-14] an outsider has heard nothing of any of it', () => {
  const heard = outsider.line.received.flatMap((value) => (value[0] === 4 ? [value[2]] : []))
  expect(heard).toEqual([])
})
