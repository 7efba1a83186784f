import type { MiddlewareHandler } from 'hono'
import { routes } from '../../../shared/regions/protocol.ts'
import type { AppContext } from '../app-context.ts'
import type { NodeApp } from '../http/node-app.ts'
import { registerRoute } from '../http/route.ts'

/** `GET /api/region`. */
export function regionRoutes(app: NodeApp, appContext: AppContext): void {
  const { replicationStatus, config } = appContext
  registerRoute(app, appContext, routes.region, () => ({
    region: config.region,
    role: replicationStatus.role(),
    primary: replicationStatus.primaryRegion(),
    position: replicationStatus.position(),
    lagMs: roundOrNull(replicationStatus.lagMs()),
  }))
}

function roundOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.max(0, Math.round(ms))
}

/** Names the answering region in every response. */
export function regionHeader(region: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    // Set on the response itself, as in `requestLog`: through the context Hono would copy the response.
    context.res.headers.set('X-Meydan-Region', region)
  }
}
