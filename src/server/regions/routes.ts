import type { MiddlewareHandler } from 'hono'
import { routes } from '../../shared/regions/protocol.ts'
import type { AppContext } from '../app-context.ts'
import { type NodeApp, registerRoute } from '../http/route.ts'

/** `GET /api/region`. */
export function regionRoutes(app: NodeApp, world: AppContext): void {
  const { replicationStatus, settings } = world
  registerRoute(app, world, routes.region, () => ({
    region: settings.region,
    role: replicationStatus.role(),
    primary: replicationStatus.primaryRegion(),
    position: replicationStatus.position(),
    lagMs: roundOrNull(replicationStatus.lagMs()),
  }))
}

function roundOrNull(number: number | null): number | null {
  return number === null ? null : Math.max(0, Math.round(number))
}

/** Says on every answer which region gave it. */
export function regionHeader(region: string): MiddlewareHandler {
  return async (context, next) => {
    await next()
    // On the answer itself, as in `requestLog`: by way of the context, Hono would make the answer anew.
    context.res.headers.set('X-Meydan-Region', region)
  }
}
