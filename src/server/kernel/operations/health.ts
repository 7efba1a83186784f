import { createHash, timingSafeEqual } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import type { DiskLevel, DiskWatch } from './disk-watch.ts'
import type { Metrics } from './metrics.ts'

/** The part of the app context that health and metrics use. */
export interface OperationsContext {
  config: Pick<Config, 'metricsToken' | 'trustedProxies'>
  /** Throws when the database cannot be read. */
  reader: { cursor(): number }
  metrics: Metrics
  replicationStatus: { notReadyReason(): string | null }
  disk: Pick<DiskWatch, 'level'>
  /** True once the region shuts down. */
  isStopping(): boolean
}

/** `/healthz`: the process is alive. `/readyz`: it can serve users. `/metrics`: for Prometheus, not public. */
export function operationsRoutes(appContext: OperationsContext): Hono {
  const app = new Hono()
  for (const path of ['/healthz', '/readyz', '/metrics']) app.use(path, noStore)
  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', (context) => {
    const reason = notReadyReason(appContext)
    return reason ? context.text(reason, 503) : context.text(readyTexts[appContext.disk.level])
  })
  app.get('/metrics', async (context) => {
    const refusal = refuseMetrics(appContext.config, context)
    if (refusal) return refusal
    return context.body(await appContext.metrics.text(), 200, { 'Content-Type': appContext.metrics.contentType })
  })
  return app
}

const readyTexts: Record<DiskLevel, string> = {
  normal: 'ready',
  noUploads: 'ready, but the disk is nearly full: no uploads',
  noGuestMessages: 'ready, but the disk is nearly full: no uploads and no messages of guests',
}

const noStore: MiddlewareHandler = async (context, next) => {
  await next()
  context.header('Cache-Control', 'no-store')
}

/** Migrations need no check, because they run before the database is opened for reading. */
function notReadyReason(appContext: OperationsContext): string | null {
  if (appContext.isStopping()) return 'shutting down'
  try {
    appContext.reader.cursor()
    return appContext.replicationStatus.notReadyReason()
  } catch {
    return 'database cannot be read'
  }
}

/** What proxies add to the requests that they pass on. */
const PROXY_HEADERS = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP']

/**
 * Metrics need the configured token. Without one they are for loopback only, and for nobody behind a proxy, where every
 * client has a loopback address: a proxy adds headers, or asks for a name of the site, as a page does after DNS rebinding.
 */
function refuseMetrics(config: OperationsContext['config'], context: Context): Response | null {
  if (config.metricsToken !== null) {
    const given = context.req.header('Authorization') ?? ''
    if (isSameSecret(given, `Bearer ${config.metricsToken}`)) return null
    return context.text('unauthorized', 401, { 'WWW-Authenticate': 'Bearer' })
  }
  const isProxied =
    config.trustedProxies.length > 0 || PROXY_HEADERS.some((name) => context.req.header(name) !== undefined)
  const isLocal = isLoopback(getConnInfo(context).remote.address) && isLoopbackHost(context.req.header('Host'))
  if (!isProxied && isLocal) return null
  return context.text('set MEYDAN_METRICS_TOKEN to read metrics from elsewhere', 403)
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:(?:::ffff:)?127\.|::1$)/.test(address)
}

/** Whether a Host header names this machine, with or without a port. */
function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host)
}

/** Compares digests, so that the time depends on neither the content nor the length. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
