import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createApp } from '../src/server/app.ts'
import type { Renderer } from '../src/server/render/renderer.ts'
import { openTestWorld, type TestWorld } from '../src/server/testing/world.ts'

/** A region in this process that listens, without pages: for clients that come over the network, with a clock by hand. */
export interface ListeningRegion {
  readonly origin: string
  readonly region: TestWorld
  /** All that it answers: `GET /api/rooms`. */
  readonly roads: readonly string[]
  end(): Promise<void>
}

const noPages: Renderer = {
  render: () => '',
  files: (_context, next) => next(),
  upgrade: (_request, socket) => socket.destroy(),
  close: async () => {},
}

export async function listen(env: Record<string, string> = {}): Promise<ListeningRegion> {
  const region = await openTestWorld(env)
  const { app, attachLive } = createApp(region, noPages)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server // no http2 was asked for
  attachLive(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    origin: `http://127.0.0.1:${port}`,
    region,
    roads: app.routes.map(({ method, path }) => `${method} ${path}`),
    end: async () => {
      await region.end()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
