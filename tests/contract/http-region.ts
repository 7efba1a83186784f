import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createApp } from '../../src/server/app.ts'
import type { Renderer } from '../../src/server/render/renderer.ts'
import { openTestRegion, type TestRegion } from '../../src/server/testing/fixtures/test-region.ts'

/** A region in this process that listens, without pages: for clients that come over the network, with a clock by hand. */
export interface HttpRegion {
  readonly origin: string
  readonly region: TestRegion
  /** All that it answers: `GET /api/rooms`. */
  readonly routePaths: readonly string[]
  close(): Promise<void>
}

const emptyRenderer: Renderer = {
  render: () => [],
  files: (_context, next) => next(),
  upgrade: (_request, socket) => socket.destroy(),
  close: async () => {},
}

export async function startHttpRegion(env: Record<string, string> = {}): Promise<HttpRegion> {
  const region = await openTestRegion(env)
  const { app, attachLive } = createApp(region, emptyRenderer)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server // no http2 was asked for
  attachLive(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    origin: `http://127.0.0.1:${port}`,
    region,
    routePaths: app.routes.map(({ method, path }) => `${method} ${path}`),
    close: async () => {
      await region.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
