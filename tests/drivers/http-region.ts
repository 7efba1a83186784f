import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createApp } from '../../src/server/app.ts'
import type { Renderer } from '../../src/server/kernel/render/renderer.ts'
import {
  openTestRegion,
  type TestRegion,
  type TestRegionOptions,
} from '../../src/server/testing/fixtures/test-region.ts'

/** A region in this process that listens: for clients that come over the network, with a clock by hand. Its pages are empty. */
export interface HttpRegion {
  readonly origin: string
  readonly region: TestRegion
  /** All that it answers: `GET /api/rooms`. */
  readonly routePaths: readonly string[]
  close(): Promise<void>
}

const emptyRenderer: Renderer = {
  render: () => '',
  files: (_context, next) => next(),
  upgrade: (_request, socket) => socket.destroy(),
  close: async () => {},
}

/** A page as JSON: its name, its properties, and the session that it gives to its scripts. */
export const jsonRenderer: Renderer = {
  ...emptyRenderer,
  render: (name, props, { boot }) => JSON.stringify({ name, props, boot }),
}

export async function startHttpRegion(
  env: Record<string, string> = {},
  renderer: Renderer = emptyRenderer,
  options: TestRegionOptions = {},
): Promise<HttpRegion> {
  const region = await openTestRegion(env, options)
  const { app, attachLive } = createApp(region, renderer)
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
