import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { firstRootAdmin } from './accounts/queries.ts'
import { createApp } from './app.ts'
import { DatabaseError } from './database/open.ts'
import { createLog } from './operations/logging.ts'
import { openRegion, type Region } from './region.ts'
import { createRenderer, type Renderer } from './render/renderer.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

/** After SIGTERM the process ends within this, whatever hangs. */
const SHUTDOWN_TIMEOUT_MS = 5_000

/** Other upgrades (`curl --http2` offers h2c with every request) are passed over, and the request is answered. */
const serverOptions = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => /^websocket$/i.test(headers.upgrade ?? ''),
}

/** The only file that starts things: settings, build, database, HTTP, and their orderly end. */
async function main(): Promise<void> {
  // What is kept here, messages and hashes of passwords among it, is for this user alone.
  process.umask(0o077)
  const settings = readSettings(process.env)
  const log = createLog(settings)
  process.on('uncaughtException', (error) => exitWithFatalError(log, error))
  const ending = installSignalHandlers(settings, log)
  // A region waits for its database with the door open, so that whoever watches it sees that it lives.
  let answer: FetchHandler = respondNotReady
  const { port, host: hostname } = settings
  const server = serve({
    fetch: (request, bindings) => answer(request, bindings as HttpBindings),
    port,
    hostname,
    serverOptions,
  }) as Server // no http2 was asked for
  const opened = Promise.all([createRenderer(settings, log), openRegion(settings, log, { signal: ending.signal })])
  opened.catch(() => {}) // it is heard of below, once the address is ours
  await waitUntilListening(server, settings)
  const [renderer, region] = await opened
  const { app, attachLive } = createApp(region, renderer)
  attachLive(server)
  answer = app.fetch as FetchHandler // Hono's own, with the bindings that serve() hands it
  ending.with({ server, region, renderer })
  if (!region.appContext.reader.get(firstRootAdmin))
    log.info('there is no root admin yet: npm run admin -- <username> makes one')
  printAddress(server, settings)
}

type FetchHandler = (request: Request, bindings: HttpBindings) => Response | Promise<Response>

/** Until the database is there: alive, and not ready. */
const respondNotReady: FetchHandler = (request) => {
  const isHealth = new URL(request.url).pathname === '/healthz'
  const body = isHealth ? 'ok' : 'Meydan açılıyor. Lütfen birazdan tekrar deneyin.'
  const headers = { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store', 'retry-after': '2' }
  return new Response(body, { status: isHealth ? 200 : 503, headers })
}

/** Resolves once the address is ours. Rejects with a SettingsError where the environment asks for one that cannot be. */
async function waitUntilListening(server: Server, { host, port }: Settings): Promise<void> {
  const wrong: Record<string, string> = {
    EADDRINUSE: `PORT should be a free one, but something listens on ${port} already. Is Meydan running?`,
    EACCES: `PORT should be one that this user may listen on, but is ${port}`,
    EADDRNOTAVAIL: `HOST should be an address of this machine, but is "${host}"`,
    ENOTFOUND: `HOST should be an address of this machine, but is "${host}"`,
  }
  try {
    await once(server, 'listening')
  } catch (error) {
    const message = wrong[(error as NodeJS.ErrnoException).code ?? ''] // what a server emits as 'error'
    throw message === undefined ? error : new SettingsError(message)
  }
}

/** People read this line, and tests wait for it. */
function printAddress(server: Server, settings: Settings): void {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  console.log(`Meydan: http://${host}:${port}`)
}

/** A signal came while the database was still awaited. */
class StartupAborted extends Error {}

interface RunningServer {
  server: Server
  region: Region
  renderer: Renderer
}

/** SIGTERM and SIGINT end the process in order, from the first moment on; `signal` is aborted when one comes before all is up. */
function installSignalHandlers(settings: Settings, log: Logger) {
  const early = new AbortController()
  let running: RunningServer | null = null
  let asked: NodeJS.Signals | null = null
  const end = (signal: NodeJS.Signals) => {
    if (asked) return
    asked = signal
    setTimeout(() => exitAfterTimeout(settings, log), SHUTDOWN_TIMEOUT_MS - 500).unref()
    if (running) void shutDown(signal, running, log)
    else early.abort(new StartupAborted())
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return {
    signal: early.signal,
    with: (started: RunningServer) => {
      running = started
      if (asked) void shutDown(asked, started, log)
    },
  }
}

/** LiteFS takes a site that fails on SIGTERM for a reason not to free its lease (decision 0008). */
function exitAfterTimeout({ litefs }: Settings, log: Logger): never {
  if (litefs === null) exitWithFatalError(log, new Error('shutting down took too long'))
  log.error('shutting down took too long')
  process.exit(0)
}

/** Tells everyone, refuses new work, writes the queue out, closes connections, ends. */
async function shutDown(signal: string, { server, region, renderer }: RunningServer, log: Logger): Promise<void> {
  log.info({ signal }, 'shutting down')
  server.close()
  await region.close()
  await renderer.close()
  server.closeIdleConnections()
  log.info('stopped')
  process.exit(0)
}

/** An error that nobody caught leaves nothing to rely on: it is logged whole and the process ends. */
function exitWithFatalError(log: Logger, error: unknown): never {
  log.fatal({ err: error }, 'uncaught error')
  process.exit(1)
}

try {
  await main()
} catch (error) {
  if (error instanceof StartupAborted) process.exit(0)
  if (!(error instanceof SettingsError || error instanceof DatabaseError)) throw error
  console.error(error.message)
  process.exit(1)
}
