import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import pino from 'pino'
import { securityHeaders } from '../../src/server/http/security-headers.ts'
import { createPages, type ShownPage } from '../../src/server/render/pages.ts'
import { createRenderer } from '../../src/server/render/renderer.ts'

/** A site of fixtures, each page of which shows one behaviour of the island runtime. */
export interface FixtureSite {
  origin: string
  /** What was logged so far. */
  logged: Record<string, unknown>[]
  close(): Promise<void>
}

interface FixturePages {
  show(c: Context, name: string, props: object, how: ShownPage): Response
  notFound(c: Context): Response
}

/** Builds and serves the fixtures the way the site itself is built and served. */
export async function serveFixtures(): Promise<FixtureSite> {
  const logged: FixtureSite['logged'] = []
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) })
  const renderer = await createRenderer({ dev: false }, log, 'tests/islands/site')
  // The type knows the real site's pages; these are the fixtures'.
  const pages = createPages(renderer, log) as unknown as FixturePages

  const app = new Hono().use(securityHeaders()).use(renderer.files)
  const boot = { session: null }
  for (const name of ['form', 'signals'] as const) app.get(`/${name}`, (c) => pages.show(c, name, {}, { boot }))
  app.get('/', (c) => pages.show(c, 'index', { start: Number(c.req.query('start') ?? 5) }, { boot }))
  app.get('/leak', (c) => pages.show(c, 'leak', { secret: 4711 }, { boot }))
  app.get('/hostile', (c) => {
    const text = c.req.query('text') ?? ''
    return pages.show(c, 'hostile', { text }, { boot: { session: { token: text, user: person(text) } } })
  })
  app.get('/room/moved', (c) => c.redirect('/'))
  app.get('/room/404', (c) => pages.notFound(c))
  app.get('/room/:id', (c) => pages.show(c, 'room/[id]', { id: Number(c.req.param('id')) }, { boot }))

  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(started as Server))
  })
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    logged,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function person(username: string) {
  return {
    id: 1,
    username,
    gender: null,
    avatarUrl: null,
    isGuest: true,
    isOnline: true,
    role: 'guest',
    premiumStatus: 'guest',
    lastLoginPlatform: 'web',
  } as const
}
