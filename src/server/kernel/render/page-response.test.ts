import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { pageResponse } from './pages.ts'
import type { Renderer } from './renderer.ts'

const HTML = `<!doctype html>${'<p>Günaydın</p>'.repeat(500)}`
const renderer: Pick<Renderer, 'render'> = { render: () => HTML }
const app = new Hono().get('/', (context) => pageResponse(context, renderer, '_404', {}, {}))

describe('[ROOM-26] a page', () => {
  it.each(['gzip, deflate, br', 'GZIP;q=0.5', '*', 'br, *;q=0.1'])(
    'is compressed for a client that accepts "%s"',
    async (accepted) => {
      const response = await app.request('/', { headers: { 'Accept-Encoding': accepted } })

      expect(response.headers.get('Content-Encoding')).toBe('gzip')
      expect(response.headers.get('Vary')).toContain('Accept-Encoding')
      const body = await response.arrayBuffer()
      expect(body.byteLength).toBeLessThan(HTML.length / 10)
      expect(gunzipSync(body).toString()).toBe(HTML)
    },
  )

  it.each([undefined, 'identity', 'br', 'gzip;q=0', 'gzip; q = 0, *', '*;q=0'])(
    'is sent as it is to a client that accepts "%s"',
    async (accepted) => {
      const response = await app.request('/', {
        headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted },
      })

      expect(response.headers.get('Content-Encoding')).toBeNull()
      expect(response.headers.get('Vary')).toContain('Accept-Encoding')
      expect(await response.text()).toBe(HTML)
    },
  )

  it('has the headers and no body in answer to HEAD', async () => {
    const response = await app.request('/', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } })
    expect([response.status, response.headers.get('Content-Encoding'), await response.text()]).toEqual([
      200,
      'gzip',
      '',
    ])
  })
})
