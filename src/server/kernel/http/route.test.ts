import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { route, Text } from '../../../shared/protocol/define.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'

const NO_METADATA = { limiter: null, identityFields: [], retry: 'none', description: '' } as const
const Echo = {
  input: v.object({ id: Text(8), word: v.optional(Text(8)) }),
  answer: v.object({ got: v.unknown() }),
  ...NO_METADATA,
}
const routes = {
  open: route({ ...Echo, method: 'POST', path: '/test/open/:id', access: 'anyone' }),
  asked: route({ ...Echo, method: 'GET', path: '/test/asked/:id', access: 'anyone' }),
  signedIn: route({ ...Echo, method: 'GET', path: '/test/signed-in/:id', access: 'signedIn' }),
  admin: route({ ...Echo, method: 'POST', path: '/test/admin/:id', access: 'rootadmin' }),
  named: route({
    ...Echo,
    method: 'POST',
    path: '/test/named/:id',
    access: 'signedIn',
    identityFields: ['word'],
  }),
  broken: route({ ...Echo, method: 'POST', path: '/test/broken/:id', access: 'anyone' }),
}

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ MEYDAN_ORIGINS: 'https://meydan.example' }, (app, mount, { appContext }) => {
    for (const name of ['open', 'asked'] as const) mount(app, appContext, routes[name], ({ input }) => ({ got: input }))
    for (const name of ['signedIn', 'admin', 'named'] as const)
      mount(app, appContext, routes[name], ({ actor }) => ({ got: actor }))
    mount(app, appContext, routes.broken, () => {
      throw new Error('a bug with /secret/paths')
    })
  })
})
afterAll(() => api.close())

const headers = (more: Record<string, string> = {}) => ({ 'content-type': 'application/json', ...more })
const sendOpen = (init: RequestInit) => api.send('/api/test/open/1', { method: 'POST', ...init })

describe('a registered route', () => {
  it('merges path, query and body into one input, in which the path wins', async () => {
    const { body } = await api.post('/api/test/open/1?word=a', { id: '2', word: 'b', more: 'c' })
    expect(body).toEqual({ got: { id: '1', word: 'b' } })
    expect((await api.get('/api/test/asked/1?word=a')).body).toEqual({ got: { id: '1', word: 'a' } })
  })

  it('[HTTP-03] forbids caching of answers and refusals', async () => {
    for (const path of ['asked/1', 'asked/much-too-long', 'signed-in/1']) {
      const { headers } = await api.get(`/api/test/${path}`)
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
  })

  it('[HTTP-01] refuses invalid input with 422 and the first wrong field', async () => {
    const { status, body } = await api.post('/api/test/open/1', { word: 7 })
    expect(status).toBe(422)
    const message = 'Gönderilen bilgiler geçerli değil.'
    expect(body).toEqual({ success: false, code: 'InvalidInput', message, path: 'word' })
  })

  it.each(['{', '[]', 'null', '"text"', '7', '{"word":"a"'])(
    '[HTTP-01] refuses the JSON body %s with 422',
    async (body) => {
      const response = await sendOpen({ body, headers: headers() })
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ success: false, code: 'InvalidInput', path: '' })
    },
  )

  it('accepts an empty body, with or without a content type', async () => {
    expect((await sendOpen({})).status).toBe(200)
    expect((await sendOpen({ headers: headers() })).status).toBe(200)
    expect(
      (await sendOpen({ body: '{}', headers: { 'content-type': 'Application/JSON; charset=utf-8' } })).status,
    ).toBe(200)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'])(
    '[HTTP-01] refuses the content type %s with 415',
    async (type) => {
      const response = await sendOpen({ body: '{}', headers: { 'content-type': type } })
      expect(response.status).toBe(415)
      expect(await response.json()).toMatchObject({ success: false, code: 'UnsupportedMediaType' })
    },
  )

  it('[HTTP-01] refuses a body over 64 KiB with 413, with or without a Content-Length', async () => {
    const word = 'x'.repeat(64 * 1024)
    const announced = await sendOpen({ body: JSON.stringify({ word }), headers: headers() })
    expect(announced.status).toBe(413)
    const stream = new Blob([JSON.stringify({ word })]).stream()
    const streamed = await sendOpen({ body: stream, headers: headers(), duplex: 'half' } as RequestInit) // Node asks for duplex
    expect(streamed.status).toBe(413)
    expect(await streamed.json()).toMatchObject({ success: false, code: 'TooLarge' })
  })

  it('[HTTP-01] answers 500 for a bug and hides its message', async () => {
    const { status, body } = await api.post('/api/test/broken/1')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(body).toMatchObject({ success: false, code: 'Failed' })
  })

  it('ignores a __proto__ field', async () => {
    const response = await sendOpen({ body: '{"__proto__":{"word":"a"}}', headers: headers() })
    expect(await response.json()).toEqual({ got: { id: '1' } })
  })
})

describe('a write', () => {
  it.each([
    'http://evil.example',
    'null',
    '',
    'https://meydan.example.evil.example',
    'https://evil-meydan.example',
    'http://meydan.example',
    'https://meydan.example:444',
    'http://127.0.0.1',
    'http://evil-{own host}',
  ])('[HTTP-05] is refused from the origin %j', async (text) => {
    const origin = text.replace('{own host}', new URL(api.origin).host)
    const response = await sendOpen({ headers: headers({ origin }) })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ success: false, code: 'OriginNotAllowed' })
  })

  it('[HTTP-05] is allowed from the own origin, from MEYDAN_ORIGINS and without an origin', async () => {
    for (const origin of [api.origin, api.origin.replace('http:', 'https:'), 'https://meydan.example']) {
      expect((await sendOpen({ headers: headers({ origin }) })).status).toBe(200)
    }
    expect((await sendOpen({ headers: headers() })).status).toBe(200)
  })
})

describe('the actor of a route', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('is missing without a valid token: the request is refused with 401', async () => {
    const { status, body } = await api.get('/api/test/signed-in/1')
    expect(status).toBe(401)
    expect(body).toMatchObject({ success: false, code: 'NotSignedIn' })
    expect((await api.get('/api/test/signed-in/1', { authorization: 'Basic YTpi' })).status).toBe(401)
    expect((await api.get('/api/test/signed-in/1', bearer('a.b.c'))).body).toMatchObject({ code: 'SessionEnded' })
  })

  it('is the user of the token, in the current role', async () => {
    const { token, userId, sessionId } = await api.region.createGuest('Soran')
    const { body } = await api.get('/api/test/signed-in/1', bearer(token))
    expect(body).toEqual({ got: { userId, sessionId, role: 'guest' } })
  })

  it('[LIVE-07] may be named in the body, the query and the path only as the session has it', async () => {
    const { token } = await api.region.createGuest('Kendisi')
    const call = (path: string, body: object) => api.post(`/api/test/named/${path}`, body, bearer(token))
    for (const [path, body] of [
      ['1', { word: 'Başkası' }],
      ['1?word=Ba%C5%9Fkas%C4%B1', {}],
    ] as const)
      expect(await call(path, body)).toMatchObject({ status: 403, body: { code: 'ActorMismatch' } })
    expect((await call('1?word=Kendisi', {})).status).toBe(200)
    expect((await call('1', { word: 'Kendisi' })).status).toBe(200)
  })

  it('[ACC-11] needs the admin token on admin routes, and cannot use it on others', async () => {
    const { token, adminToken, userId, sessionId } = await api.region.createRootAdmin('Kaptan')
    expect((await api.post('/api/test/admin/1', {}, bearer(token))).status).toBe(403)
    expect((await api.get('/api/test/signed-in/1', bearer(adminToken))).status).toBe(401)
    const { body: seen } = await api.post('/api/test/admin/1', {}, bearer(adminToken))
    expect(seen).toEqual({ got: { userId, sessionId, role: 'rootadmin' } })

    api.region.clockOffset.aheadMs += 15 * 60 * 1000
    expect((await api.post('/api/test/admin/1', {}, bearer(adminToken))).status).toBe(401)
    api.region.clockOffset.aheadMs = 0
  })

  it('[ACC-11] is not a root admin once the row of the user has another role', async () => {
    const { userId, sessionId } = await api.region.createGuest('Eskiden')
    const { signToken } = await import('../../features/accounts/tokens/tokens.ts')
    const adminToken = await signToken(api.region.appContext.keys, 'adminToken', { userId, sessionId }, Date.now())
    const { status, body } = await api.post('/api/test/admin/1', {}, bearer(adminToken))
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'Forbidden' })
  })
})
