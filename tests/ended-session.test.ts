import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '../src/server/accounts/tokens.ts'
import { hello, type TestClient, type TestPerson } from '../src/server/testing/world.ts'
import { type CommandName, commands, routes } from '../src/shared/protocol/catalogue.ts'
import type { RouteSpec } from '../src/shared/protocol/define.ts'
import { CloseCode, Kind } from '../src/shared/protocol/frame.ts'
import { type ListeningRegion, listen } from './listening-region.ts'

/** What somebody has copied out of a browser before its session ended. */
interface Stolen {
  person: TestPerson
  adminToken: string
  cookie: string
  /** Opened before. */
  line: TestClient
}

let site: ListeningRegion
const stolen: Record<string, Stolen> = {}

/** By what way a session comes to its end. */
const ends: Record<string, (of: TestPerson) => Promise<unknown>> = {
  'a log-out': ({ token }) => send('POST', '/users/logout', token),
  'its owner, from the list': async (of) => {
    const { token } = await anotherSession(of)
    return send('POST', '/users/sessions/end', token, { sessionId: of.sessionId })
  },
  'its owner, with all the others': async (of) => {
    const { token } = await anotherSession(of)
    return send('POST', '/users/sessions/end-others', token)
  },
  'a changed password': async (of) => {
    const { userId, sessionId } = await anotherSession(of)
    const password = { verifiedHash: 'none', newHash: 'new' }
    return site.region.appContext.execute('updateProfile', { userId, sessionId }, { columns: {}, password })
  },
}

async function send(method: string, path: string, token: string | null, body: object = {}, cookie = '') {
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      origin: site.origin,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })
  return { answer, body: (await answer.json()) as Record<string, unknown> } // every answer below /api is an object
}

/** The same person is here a second time. */
async function anotherSession({ userId }: TestPerson) {
  const { appContext: world } = site.region
  const entry = { userId, passwordHash: 'none', browserId: null, platform: 'web' as const }
  const opened = await world.execute('openMemberSession', null, entry)
  if (!('sessionId' in opened)) throw new Error('the same person could not enter again')
  return { ...opened, token: await signToken(world.keys, 'userToken', opened, world.clock()) }
}

beforeAll(async () => {
  site = await listen({ MEYDAN_LIMIT_SCALE: '1000' })
  for (const [way, end] of Object.entries(ends)) {
    const person = await site.region.makeRootAdmin(`giden${Object.keys(stolen).length}`)
    const { answer, body } = await send('POST', '/users/refresh-token', person.token)
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const line = await site.region.join(person, 1)
    stolen[way] = { person, adminToken: String(body.adminToken), cookie, line }
    // All of it was good a moment ago.
    expect((await send('GET', '/users/account', person.token)).answer.status).toBe(200)
    expect((await send('GET', '/users/banned-users', String(body.adminToken))).answer.status).toBe(200)
    await end(person)
  }
})
afterAll(() => site.end())

const takenFrom = (way: string): Stolen => stolen[way] ?? expect.unreachable(way)

describe.each(Object.keys(ends))('a session that was ended by %s', (way) => {
  const guarded = Object.values<RouteSpec>(routes).filter(({ access }) => access !== 'anyone')
  it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '[ACC-55] opens %s by none of its tokens',
    async (_, { method, path }) => {
      const { person, adminToken, cookie } = takenFrom(way)
      const filled = path.replace(/:(\w+)/g, '1')
      for (const token of [person.token, adminToken]) {
        expect((await send(method, filled, token, {}, cookie)).body).toMatchObject({ code: 'SessionEnded' })
      }
      expect((await send(method, filled, null, {}, cookie)).body).toMatchObject({ code: 'NotSignedIn' })
    },
  )

  it('[ACC-55] is given no token any more, nor ended twice', async () => {
    const { person, adminToken, cookie } = takenFrom(way)
    for (const token of [person.token, adminToken, null]) {
      const { answer, body } = await send('POST', '/users/refresh-token', token, {}, cookie)
      expect(body).toMatchObject({ code: 'SessionEnded' })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await send('POST', '/users/logout', person.token)).body).toMatchObject({ code: 'SessionEnded' })
  })

  it('[ACC-55] has lost the line that was open, which does nothing and hears nothing more', async () => {
    const { line, person } = takenFrom(way)
    await line.heard('forceDisconnect')
    expect(line.line.closedWith).toBe(CloseCode.notSignedIn)
    const { length } = line.line.received
    const bystander = await site.region.join(await site.region.enter(`gelen${person.userId}`), 1)
    await bystander.heard('users-in-room')
    expect(line.line.received).toHaveLength(length)
  })

  it.each(Object.keys(commands))('[ACC-55] gets no answer to %s over a new line', async (name) => {
    const { person } = takenFrom(way)
    const line = site.region.connect()
    const greeted = hello(line, person)
    // In the same breath, before the line is closed.
    const done = line.request(name as CommandName, {} as never).catch(() => 'closed')
    expect(await greeted).toMatchObject({ code: 'SessionEnded' })
    await done
    expect(line.line.closedWith).toBe(CloseCode.notSignedIn)
    expect(line.line.received.filter(([kind]) => kind !== Kind.refusal)).toEqual([])
  })
})
