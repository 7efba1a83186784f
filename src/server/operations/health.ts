import { createHash, timingSafeEqual } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ReplicationStatus } from '../regions/replication/replication-status.ts'
import type { Settings } from '../settings.ts'
import type { Metrics } from './metrics.ts'

/** What the operators' pages need of the world. */
export interface OperationsContext {
  settings: Pick<Settings, 'metricsToken' | 'trustedProxies'>
  /** Throws when the database cannot be read. */
  reader: { cursor(): number }
  metrics: Metrics
  replicationStatus: Pick<ReplicationStatus, 'notReadyReason'>
  /** True from the moment that new work is refused. */
  isStopping(): boolean
}

/** `/healthz`: the process answers. `/readyz`: send people here. `/metrics`: for Prometheus, not for the world. */
export function operationsRoutes(world: OperationsContext): Hono {
  const app = new Hono()
  for (const path of ['/healthz', '/readyz', '/metrics']) app.use(path, noStore)
  app.get('/healthz', (context) => context.text('ok'))
  app.get('/readyz', (context) => {
    const reason = notReadyReason(world)
    return reason ? context.text(reason, 503) : context.text('ready')
  })
  app.get('/metrics', async (context) => {
    const refusal = refuseMetrics(world.settings, context)
    if (refusal) return refusal
    return context.body(await world.metrics.text(), 200, { 'Content-Type': world.metrics.contentType })
  })
  return app
}

const noStore: MiddlewareHandler = async (context, next) => {
  await next()
  context.header('Cache-Control', 'no-store')
}

/** The file was migrated before the port was opened, so what can be read is also up to date. */
function notReadyReason(world: OperationsContext): string | null {
  if (world.isStopping()) return 'shutting down'
  try {
    world.reader.cursor()
    return world.replicationStatus.notReadyReason()
  } catch {
    return 'database cannot be read'
  }
}

/**
 * With a token it is asked for. Without one only this machine may look, and behind a proxy, which makes everybody look
 * like this machine, nobody.
 */
function refuseMetrics(settings: OperationsContext['settings'], context: Context): Response | null {
  if (settings.metricsToken !== null) {
    const given = context.req.header('Authorization') ?? ''
    if (isSameSecret(given, `Bearer ${settings.metricsToken}`)) return null
    return context.text('unauthorized', 401, { 'WWW-Authenticate': 'Bearer' })
  }
  const proxied = settings.trustedProxies.length > 0 || context.req.header('X-Forwarded-For') !== undefined
  if (!proxied && isLoopback(getConnInfo(context).remote.address)) return null
  return context.text('set MEYDAN_METRICS_TOKEN to read metrics from elsewhere', 403)
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:(?:::ffff:)?127\.|::1$)/.test(address)
}

/** In constant time, whatever the lengths: digests are compared. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
