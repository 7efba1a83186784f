import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import pino from 'pino'
import type { Boot } from '../../src/client/core/session/boot.ts'
import { securityHeaders } from '../../src/server/kernel/http/security-headers.ts'
import type { PageName, PageProps } from '../../src/server/kernel/render/page-modules.ts'
import { failureResponse, pageResponse } from '../../src/server/kernel/render/pages.ts'
import { createRenderer } from '../../src/server/kernel/render/renderer.ts'
import { createPerson } from '../../src/shared/accounts/testing/person-fixture.ts'
import type { Site } from '../../vite.config.ts'

/** A site of fixtures, each page of which shows one behaviour of the island runtime. */
export interface FixtureSite {
  origin: string
  close(): Promise<void>
}

/** The fixtures; their builds do not push the real site's out. */
export const FIXTURE_SITE: Site = { sources: 'tests/islands/site', builds: '.cache/islands' }

/** Builds and serves the fixtures the way the site itself is built and served. */
export async function serveFixtures(
  site: Site = FIXTURE_SITE,
  { dev }: { dev: boolean } = { dev: false },
): Promise<FixtureSite> {
  const renderer = await createRenderer({ isDev: dev }, pino({ level: 'silent' }), site)
  const show = (c: Context, name: string, props: object, boot: Boot = { session: null }) =>
    // The types know the real site's pages; these are the fixtures'.
    pageResponse(c, renderer, name as PageName, props as PageProps<PageName>, boot)

  const app = new Hono().use(securityHeaders()).use(renderer.files)
  app.get('/', (c) => show(c, 'index', { start: Number(c.req.query('start') ?? 5) }))
  app.get('/form', (c) => show(c, 'form', {}))
  app.get('/signals', (c) => show(c, 'signals', {}))
  app.get('/leak', (c) => show(c, 'leak', { secret: 4711 }))
  app.get('/hostile', (c) => {
    const text = c.req.query('text') ?? ''
    return show(c, 'hostile', { text }, { session: { token: 'secret', user: createPerson(1, text) } })
  })
  app.get('/shared', (c) => show(c, 'shared', { names: ['Ada', '</script>'] }))
  app.get('/room/moved', (c) => c.redirect('/'))
  app.get('/room/framed', (c) => show(c, 'framed', {}))
  app.get('/room/:id{[0-9]+}', (c) => show(c, 'room/[id]', { id: Number(c.req.param('id')) }))
  app.onError((_, c) => failureResponse(c, renderer, 'a1b2c3'))

  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(started as Server))
  })
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  server.on('upgrade', renderer.upgrade)
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      await renderer.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
