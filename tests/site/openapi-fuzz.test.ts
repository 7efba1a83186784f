// @module-tag deep
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../src/server/admin.ts'
import { readConfig } from '../../src/server/kernel/config.ts'
import { routes } from '../../src/shared/protocol/catalogue.ts'
import type { RouteSpec } from '../../src/shared/protocol/define.ts'
import { fuzzApi, installSchemathesis } from '../drivers/schemathesis.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

/** Requests of one operation and role; many by the variable. */
const EXAMPLES = Number(process.env.API_EXAMPLES ?? 1)
const SEED = Number(process.env.API_SEED ?? 19)
const TIMEOUT_MS = 60_000 + EXAMPLES * 60_000
/** They end or replace the session of the run, so only the role `nobody` sends them. */
const SESSION_OPERATIONS = ['guestLogin', 'login', 'register', 'refreshToken', 'logOut', 'endOtherSessions']

let site: SiteProcess
beforeAll(async () => {
  await installSchemathesis()
  site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000000', MEYDAN_LOG: 'warn' } })
}, 240_000)
afterAll(() => site?.stop())

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.origin}/api/users/${path}`, {
    method: 'POST',
    headers: { origin: site.origin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, unknown> // a sign-in answers an object
}

const roles = {
  nobody: async () => null,
  guest: async () => (await post('guest-login', { username: 'Konuk' })).token,
  member: async () =>
    (await post('register', { username: 'Yolcu', password: 'dört kuş uçtu', age: 30, termsAccepted: true })).token,
  rootadmin: async () => {
    const printed = await runAdmin(['Kaptan'], readConfig({ MEYDAN_DATA: site.dataFolder }))
    const password = /password: (\S+)/.exec(printed)?.[1] ?? ''
    return (await post('login', { username: 'Kaptan', password })).adminToken
  },
}

/** A root admin sends the admin token, which the other routes do not take. */
function excludedOf(role: keyof typeof roles): string[] {
  if (role === 'nobody') return []
  if (role !== 'rootadmin') return SESSION_OPERATIONS
  return Object.entries(routes).flatMap(([name, { access }]) => (access === 'rootadmin' ? [] : [name]))
}

/** Whether another path with a parameter in place of a name has the method. */
function isOtherPath(path: string, method: string): boolean {
  const parts = path.split('/')
  return Object.values<RouteSpec>(routes).some((route) => {
    const pattern = route.path.split('/')
    const isMatch =
      pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i])
    return route.method === method && isMatch
  })
}

describe('the API conforms to /api/openapi.json', () => {
  it.each(['nobody', 'guest', 'member', 'rootadmin'] as const)(
    '[HTTP-29] for %s',
    { timeout: TIMEOUT_MS },
    async (role) => {
      const token = await roles[role]()
      const { isPassed, report } = await fuzzApi({
        origin: site.origin,
        token: typeof token === 'string' ? token : null,
        excluded: excludedOf(role),
        phases: EXAMPLES > 1 ? 'coverage,fuzzing' : 'fuzzing',
        examples: EXAMPLES,
        seed: SEED,
      })
      expect(isPassed, `API_SEED=${SEED} API_EXAMPLES=${EXAMPLES}\n${report}`).toBe(true)
      expect(site.output()).not.toContain('a handler failed')
    },
  )

  it('[HTTP-27] each path answers every other method with 405 and those that it has', async () => {
    const answer = await fetch(`${site.origin}/api/openapi.json`)
    const { paths } = (await answer.json()) as { paths: Record<string, object> } // as openapi.ts writes it
    const wrong: string[] = []
    for (const [path, operations] of Object.entries(paths)) {
      const url = `${site.origin}/api${path.replace(/\{\w+\}/g, '7')}`
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(
        (name) => !(name.toLowerCase() in operations),
      )) {
        const { status, headers } = await fetch(url, { method, headers: { origin: site.origin }, redirect: 'manual' })
        const allowed = headers.get('allow')?.split(', ') ?? []
        const isRight = status === 405 && Object.keys(operations).every((name) => allowed.includes(name.toUpperCase()))
        // A path such as /rooms/created-by/7 may also be one with a parameter, which has the method.
        if (!isRight && !(status !== 404 && isOtherPath(path, method)))
          wrong.push(`${method} ${path}: ${status} ${allowed}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
