import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { pageResponse } from './pages.ts'
import type { Renderer } from './renderer.ts'

const HTML = '<!doctype html><p>Günaydın</p>'
const renderer: Pick<Renderer, 'render'> = { render: () => [HTML] }
const app = new Hono().get('/', (context) => pageResponse(context, renderer, '_404', {}, {}))

it.each(['gzip, deflate, br', 'GZIP;q=0.5', '*', 'br, *;q=0.1'])(
  '[ROOM-26] answers a client that accepts "%s" with gzip',
  async (accepted) => {
    const response = await app.request('/', { headers: { 'Accept-Encoding': accepted } })

    expect(response.headers.get('Content-Encoding')).toBe('gzip')
    expect(response.headers.get('Vary')).toContain('Accept-Encoding')
    expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(HTML)
  },
)

it.each([undefined, 'identity', 'br', 'gzip;q=0', 'gzip; q = 0, *', '*;q=0'])(
  'answers a client that accepts "%s" with the page as it is',
  async (accepted) => {
    const response = await app.request('/', { headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted } })

    expect(response.headers.get('Content-Encoding')).toBeNull()
    expect(response.headers.get('Vary')).toContain('Accept-Encoding')
    expect(await response.text()).toBe(HTML)
  },
)

describe('a page with a long text', () => {
  const text = '<p>Meydan</p>'.repeat(500)
  const open = (session: null | undefined, headers: Record<string, string> = {}) =>
    new Hono()
      .get('/', (context) =>
        pageResponse(
          context,
          { render: () => [text] },
          '_404',
          {},
          // `undefined`: the session is not known.
          session === undefined ? {} : { session },
        ),
      )
      .request('/', { headers: { 'Accept-Encoding': 'gzip', ...headers } })
  const lengthOf = async (response: Response | Promise<Response>) => (await (await response).arrayBuffer()).byteLength

  it('[ROOM-26] is compressed for a request that names nobody', async () => {
    expect(await lengthOf(open(null))).toBeLessThan(text.length / 10)
  })

  it.each([
    ['with a cookie', null, { Cookie: 'theme=dark' }],
    ['of which the session is not known', undefined, {}],
  ] as const)('[ROOM-26] is stored uncompressed for a request %s', async (_, session, headers) => {
    expect(await lengthOf(open(session, headers))).toBeGreaterThan(text.length)
  })

  it('has the headers and no body in answer to HEAD', async () => {
    const app = new Hono().get('/', (context) => pageResponse(context, { render: () => [text] }, '_404', {}, {}))
    const response = await app.request('/', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } })
    expect([response.status, response.headers.get('Content-Encoding'), await response.text()]).toEqual([
      200,
      'gzip',
      '',
    ])
  })
})
