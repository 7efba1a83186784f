import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { pageResponse } from './page-response.ts'
import type { Renderer } from './renderer.ts'

const HTML = '<!doctype html><p>Günaydın</p>'
const renderer: Pick<Renderer, 'render'> = { render: () => [HTML] }
const app = new Hono().get('/', (context) => pageResponse(context, renderer, '_404', {}, {}))

it.each(['gzip, deflate, br', 'GZIP;q=0.5'])(
  '[ROOM-26] answers a client that accepts "%s" with gzip',
  async (accepted) => {
    const response = await app.request('/', { headers: { 'Accept-Encoding': accepted } })

    expect(response.headers.get('Content-Encoding')).toBe('gzip')
    expect(response.headers.get('Vary')).toContain('Accept-Encoding')
    expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(HTML)
  },
)

it.each([undefined, 'identity', 'br', 'gzip;q=0'])(
  'answers a client that accepts "%s" with the page as it is',
  async (accepted) => {
    const response = await app.request('/', { headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted } })

    expect(response.headers.get('Content-Encoding')).toBeNull()
    expect(response.headers.get('Vary')).toContain('Accept-Encoding')
    expect(await response.text()).toBe(HTML)
  },
)
