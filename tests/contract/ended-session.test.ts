import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemberSession } from '../../src/server/features/accounts/sign-in/open-member-session.ts'
import { signToken } from '../../src/server/features/accounts/tokens/tokens.ts'
import { updateProfile } from '../../src/server/features/profiles/update-profile.ts'
import {
  sendHello,
  type TestClient,
  type TestRootAdmin,
  type TestUser,
} from '../../src/server/testing/fixtures/test-region.ts'
import { type CommandName, commands, routes } from '../../src/shared/protocol/catalogue.ts'
import type { RouteSpec } from '../../src/shared/protocol/define.ts'
import { CloseCode, Kind } from '../../src/shared/protocol/frame.ts'
import { type HttpRegion, startHttpRegion } from '../drivers/http-region.ts'

/** Credentials copied from a browser before its session ended. */
interface StolenCredentials {
  person: TestRootAdmin
  cookie: string
  /** Opened before. */
  client: TestClient
}

let site: HttpRegion
const stolenByWay: Record<string, StolenCredentials> = {}

/** Actions that end a session. */
const sessionEnders: Record<string, (of: TestUser) => Promise<unknown>> = {
  'a log-out': ({ token }) => send('POST', '/users/logout', token),
  'its owner, from the list': async (of) => {
    const { token } = await openSecondSession(of)
    return send('POST', '/users/sessions/end', token, { sessionId: of.sessionId })
  },
  'its owner, with all the others': async (of) => {
    const { token } = await openSecondSession(of)
    return send('POST', '/users/sessions/end-others', token)
  },
  'a changed password': async (of) => {
    const { userId, sessionId } = await openSecondSession(of)
    const password = { verifiedHash: 'none', newHash: 'new' }
    return site.region.appContext.execute(updateProfile, { userId, sessionId }, { columns: {}, password })
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

/** Opens another session of the same user. */
async function openSecondSession({ userId }: TestUser) {
  const { appContext } = site.region
  const entry = { userId, passwordHash: 'none', platform: 'web' as const }
  const opened = await appContext.execute(openMemberSession, null, entry)
  if (!('sessionId' in opened)) throw new Error('the same person could not enter again')
  return { ...opened, token: await signToken(appContext.keys, 'userToken', opened, appContext.clock()) }
}

beforeAll(async () => {
  site = await startHttpRegion({ MEYDAN_LIMIT_SCALE: '1000' })
  for (const [reason, end] of Object.entries(sessionEnders)) {
    const person = await site.region.createRootAdmin(`giden${Object.keys(stolenByWay).length}`)
    const { answer } = await send('POST', '/users/refresh-token', person.token)
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const connection = await site.region.connectAs(person, 1)
    stolenByWay[reason] = { person, cookie, client: connection }
    // All of it was good a moment ago.
    expect((await send('GET', '/users/account', person.token)).answer.status).toBe(200)
    expect((await send('GET', '/users/banned-users', person.adminToken)).answer.status).toBe(200)
    await end(person)
  }
})
afterAll(() => site.close())

const stolenCredentials = (reason: string): StolenCredentials => stolenByWay[reason] ?? expect.unreachable(reason)

describe.each(Object.keys(sessionEnders))('a session that was ended by %s', (reason) => {
  const guarded = Object.values<RouteSpec>(routes).filter(({ access }) => access !== 'anyone')
  it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '[ACC-55] refuses all its tokens on %s',
    async (_, { method, path }) => {
      const { person, cookie } = stolenCredentials(reason)
      const filled = path.replace(/:(\w+)/g, '1')
      for (const token of [person.token, person.adminToken]) {
        expect((await send(method, filled, token, {}, cookie)).body).toMatchObject({ code: 'SessionEnded' })
      }
      expect((await send(method, filled, null, {}, cookie)).body).toMatchObject({ code: 'NotSignedIn' })
    },
  )

  it('[ACC-55] gets no new token and cannot be ended twice', async () => {
    const { person, cookie } = stolenCredentials(reason)
    for (const token of [person.token, person.adminToken, null]) {
      const { answer, body } = await send('POST', '/users/refresh-token', token, {}, cookie)
      expect(body).toMatchObject({ code: 'SessionEnded' })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await send('POST', '/users/logout', person.token)).body).toMatchObject({ code: 'SessionEnded' })
  })

  it('[ACC-55] loses its open connection, which receives no further event', async () => {
    const { client, person } = stolenCredentials(reason)
    await client.waitForEvent('forceDisconnect')
    expect(client.transport.closeCode).toBe(CloseCode.notSignedIn)
    const { length } = client.transport.received
    const bystander = await site.region.connectAs(await site.region.createGuest(`gelen${person.userId}`), 1)
    await bystander.waitForEvent('users-in-room')
    expect(client.transport.received).toHaveLength(length)
  })

  it.each(Object.keys(commands))('[ACC-55] gets no answer to %s over a new connection', async (name) => {
    const { person } = stolenCredentials(reason)
    const connection = site.region.openConnection()
    const greeted = sendHello(connection, person)
    // In the same breath, before the connection is closed.
    const done = connection.request(name as CommandName, {} as never).catch(() => 'closed')
    expect(await greeted).toMatchObject({ code: 'SessionEnded' })
    await done
    expect(connection.transport.closeCode).toBe(CloseCode.notSignedIn)
    expect(connection.transport.received.filter(([kind]) => kind !== Kind.refusal)).toEqual([])
  })
})
