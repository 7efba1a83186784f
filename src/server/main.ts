import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './kernel/config.ts'
import { DatabaseError } from './kernel/database/open.ts'
import { GuardedServer } from './kernel/http/guard/guarded-server.ts'
import { createLog } from './kernel/operations/logging.ts'
import { createRenderer, type Renderer } from './kernel/render/renderer.ts'
import { openRegion, type Region } from './region.ts'

/** The process ends within this after SIGTERM, even if part of the shutdown hangs. */
const SHUTDOWN_TIMEOUT_MS = 5_000

/** Starts the server: config, build, database, HTTP; and shuts it down in order. */
async function main(): Promise<void> {
  // Data files hold messages and password hashes, so only this system user may read them.
  process.umask(0o077)
  const config = readConfig(process.env)
  const log = createLog(config)
  process.on('uncaughtException', (error) => exitWithFatalError(log, error))
  const shutdown = installSignalHandlers(config, log)
  // The server listens before the database is there, so that health checks see a live process.
  let handleRequest: FetchHandler = respondNotReady
  const { port, host: hostname } = config
  const listener = getRequestListener((request, bindings) => handleRequest(request, bindings as HttpBindings), {
    hostname,
  })
  const guard = new GuardedServer(listener, {
    config,
    onAcceptFailed: (error) => log.error({ err: error }, 'a connection could not be accepted'),
  })
  const { server } = guard
  server.listen(port, hostname)
  const opened = Promise.all([createRenderer(config, log), openRegion(config, log, { signal: shutdown.signal })])
  opened.catch(() => {}) // awaited below, after the port is bound
  await waitUntilListening(server, config)
  const [renderer, region] = await opened
  const { app, attachLive } = createApp(region, renderer)
  region.appContext.metrics.register([guard.refused])
  attachLive(server)
  handleRequest = app.fetch as FetchHandler // serve() passes the bindings that Hono expects
  shutdown.setRunning({ server, region, renderer })
  printAddress(server, config)
}

type FetchHandler = (request: Request, bindings: HttpBindings) => Response | Promise<Response>

/** Answers until the database is open: alive, but not ready. */
const respondNotReady: FetchHandler = (request) => {
  const isHealth = new URL(request.url).pathname === '/healthz'
  const body = isHealth ? 'ok' : 'Meydan açılıyor. Lütfen birazdan tekrar dene.'
  const headers = { 'content-type': 'text/plain; charset=UTF-8', 'cache-control': 'no-store', 'retry-after': '2' }
  return new Response(body, { status: isHealth ? 200 : 503, headers })
}

/** Resolves when the port is bound. Rejects with a ConfigError if HOST or PORT cannot be used. */
async function waitUntilListening(server: Server, { host, port }: Config): Promise<void> {
  const messages: Record<string, string> = {
    EADDRINUSE: `PORT should be a free one, but something listens on ${port} already. Is Meydan running?`,
    EACCES: `PORT should be one that this user may listen on, but is ${port}`,
    EADDRNOTAVAIL: `HOST should be an address of this machine, but is "${host}"`,
    ENOTFOUND: `HOST should be an address of this machine, but is "${host}"`,
  }
  try {
    await once(server, 'listening')
  } catch (error) {
    const message = messages[(error as NodeJS.ErrnoException).code ?? ''] // 'error' events of a server
    throw message === undefined ? error : new ConfigError(message)
  }
}

/** Operators read this line, and tests wait for it. */
function printAddress(server: Server, config: Config): void {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  console.log(`Meydan: http://${host}:${port}`)
}

/** A signal arrived before the database was open. */
class StartupAborted extends Error {}

interface RunningServer {
  server: Server
  region: Region
  renderer: Renderer
}

/** SIGTERM and SIGINT shut the process down in order; `signal` is aborted if one arrives during the start. */
function installSignalHandlers(config: Config, log: Logger) {
  const startup = new AbortController()
  let running: RunningServer | null = null
  let receivedSignal: NodeJS.Signals | null = null
  const end = (signal: NodeJS.Signals) => {
    if (receivedSignal) return
    receivedSignal = signal
    setTimeout(() => exitAfterTimeout(config, log), SHUTDOWN_TIMEOUT_MS - 500).unref()
    if (running) void shutDown(signal, running, log)
    else startup.abort(new StartupAborted())
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return {
    signal: startup.signal,
    setRunning: (started: RunningServer) => {
      running = started
      if (receivedSignal) void shutDown(receivedSignal, started, log)
    },
  }
}

/** Under LiteFS it exits with 0, because LiteFS keeps its lease when the site fails on SIGTERM (decision 0008). */
function exitAfterTimeout({ litefs }: Config, log: Logger): never {
  if (litefs === null) exitWithFatalError(log, new Error('shutting down took too long'))
  log.error('shutting down took too long')
  process.exit(0)
}

/** Stops accepting, drains and closes the region, then exits. */
async function shutDown(signal: string, { server, region, renderer }: RunningServer, log: Logger): Promise<void> {
  log.info({ signal }, 'shutting down')
  server.close()
  await region.close()
  await renderer.close()
  server.closeIdleConnections()
  log.info('stopped')
  process.exit(0)
}

/** After an uncaught error the state is unknown, so the process logs it and exits. */
function exitWithFatalError(log: Logger, error: unknown): never {
  log.fatal({ err: error }, 'uncaught error')
  process.exit(1)
}

try {
  await main()
} catch (error) {
  if (error instanceof StartupAborted) process.exit(0)
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
  console.error(error.message)
  process.exit(1)
}
