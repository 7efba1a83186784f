import type { Server } from 'node:http'
import { Hono } from 'hono'
import { routes } from '../shared/protocol/catalogue.ts'
import type { RouteSpec } from '../shared/protocol/define.ts'
import { refuse } from '../shared/protocol/refusals.ts'
import type { NodeApp, NodeContext } from './kernel/http/node-app.ts'
import { openApiRoute } from './kernel/http/openapi.ts'
import { requestLimit } from './kernel/http/request-limit.ts'
import { refusalResponse } from './kernel/http/route.ts'
import { securityHeaders } from './kernel/http/security-headers.ts'
import { serveLive } from './kernel/live/websocket-route.ts'
import { operationsRoutes } from './kernel/operations/health.ts'
import { requestLog } from './kernel/operations/logging.ts'
import { handleLinkUpgrades } from './kernel/regions/link/link-socket.ts'
import { regionHeader } from './kernel/regions/routes.ts'
import { Pages } from './kernel/render/pages.ts'
import type { Renderer } from './kernel/render/renderer.ts'
import type { Region } from './region.ts'

/** The HTTP application: files, health, API, live protocol and pages. */
export function createApp({ appContext, connections, linkServer, features }: Region, renderer: Renderer) {
  const app: NodeApp = new Hono()
  const pages = new Pages(appContext, renderer)

  app.use(requestLog(appContext.log))
  app.use(regionHeader(appContext.config.region))
  app.use(securityHeaders())
  app.use(renderer.files)
  app.route('/', operationsRoutes(appContext))
  // Before the request limit, because a new region fetches all files at once; unsigned requests fall through to it.
  for (const { registerRegionRoutes } of features) registerRegionRoutes?.(app)
  app.use(requestLimit(appContext))
  for (const { registerRoutes } of features) registerRoutes?.(app, pages)
  openApiRoute(app)
  methodNotAllowed(app)
  const attachLive = serveLive(appContext, connections)
  app.get('/_app', (context) => context.redirect('/'))
  app.notFound((context) => pages.renderNotFound(context as NodeContext)) // @hono/node-server sets the bindings of every context
  app.onError((error, context) => pages.renderFailure(context as NodeContext, error))

  const upgradeFallback = linkServer
    ? handleLinkUpgrades(linkServer, appContext.config, renderer.upgrade)
    : renderer.upgrade
  return { app, attachLive: (server: Server) => attachLive(server, upgradeFallback) }
}

/** Answers 405 with `Allow` (RFC 9110, 15.5.6) on the paths of the catalogue. Registered after all routes of the API. */
export function methodNotAllowed(app: NodeApp): void {
  const known = Object.values<RouteSpec>(routes).map(({ path, method }) => ({
    path,
    pattern: new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`),
    method,
  }))
  // By path, since the log names the last pattern that fits a request.
  for (const path of new Set(known.map(({ path }) => path))) {
    app.all(`/api${path}`, (context) => {
      const methods = new Set(known.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method))
      context.header('allow', [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort().join(', '))
      return refusalResponse(context, refuse('MethodNotAllowed'))
    })
  }
}
