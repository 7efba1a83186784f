import type { Server } from 'node:http'
import { Hono } from 'hono'
import { PasswordHasher } from './accounts/passwords/password-hasher.ts'
import { createOwnPasswordVerifier } from './accounts/passwords/verify-own-password.ts'
import { optionalActor } from './accounts/sessions/page-session.ts'
import { createSignInLimits } from './accounts/sign-in/sign-in-limits.ts'
import { openApiRoute } from './http/openapi.ts'
import { requestLimit } from './http/request-limit.ts'
import type { NodeApp, NodeContext } from './http/route.ts'
import { securityHeaders } from './http/security-headers.ts'
import { serveLive } from './live/websocket-route.ts'
import { linkFileRoutes } from './media/link-file-routes.ts'
import { operationsRoutes } from './operations/health.ts'
import { requestLog } from './operations/logging.ts'
import { createPages } from './pages.ts'
import type { Region } from './region.ts'
import { handleLinkUpgrades } from './regions/link/link-socket.ts'
import { regionHeader } from './regions/routes.ts'
import type { Renderer } from './render/renderer.ts'

/** The HTTP application: files, health, API, live protocol and pages. */
export function createApp({ appContext, connections, linkServer, files, features }: Region, renderer: Renderer) {
  const app: NodeApp = new Hono()
  const pages = createPages(appContext, renderer)

  app.use(requestLog(appContext.log))
  app.use(regionHeader(appContext.settings.region))
  app.use(securityHeaders())
  app.use(renderer.files)
  app.route('/', operationsRoutes(appContext))
  // Before the request limit, because a new region fetches all files at once; unsigned requests fall through to it.
  app.route('/', linkFileRoutes(files, appContext.keys.files))
  app.use(requestLimit(appContext))
  const limits = createSignInLimits(appContext.settings, appContext.clock)
  const signIn = { appContext, limits, passwords: new PasswordHasher() }
  const deps = {
    signIn,
    passwords: createOwnPasswordVerifier(signIn),
    rerenderLanding: pages.rerenderLanding,
    optionalActor: (context: NodeContext) => optionalActor(appContext, context),
  }
  for (const { registerRoutes } of features) registerRoutes?.(app, deps)
  openApiRoute(app)
  const attachLive = serveLive(appContext, connections)
  app.get('/', pages.landing)
  app.get('/room/:id', pages.room)
  app.get('/_app', (context) => context.redirect('/'))
  app.notFound((context) => pages.notFound(context as NodeContext)) // @hono/node-server sets the bindings of every context
  app.onError((error, context) => pages.internalError(error, context as NodeContext))

  const upgradeFallback = linkServer
    ? handleLinkUpgrades(linkServer, appContext.settings, renderer.upgrade)
    : renderer.upgrade
  return { app, attachLive: (server: Server) => attachLive(server, upgradeFallback) }
}
