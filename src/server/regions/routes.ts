import type { MiddlewareHandler } from 'hono'
import { routes } from '../../shared/regions/protocol.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'

/** `GET /api/region`. */
export function regionRoutes(app: NodeApp, world: World): void {
  const { footing, settings } = world
  mount(app, world, routes.region, () => ({
    region: settings.region,
    role: footing.role(),
    primary: footing.primary(),
    position: footing.position(),
    lagMs: wholeOrNull(footing.lagMs()),
  }))
}

function wholeOrNull(number: number | null): number | null {
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
