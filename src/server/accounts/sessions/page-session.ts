import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SESSION_LIFETIME_MS } from '../../../shared/accounts/rules.ts'
import { Refusal, type RefusalCode, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../app-context.ts'
import type { PageSession } from '../../authentication.ts'
import type { Actor, Claims } from '../../database/transact.ts'
import { isHttps } from '../../http/client-address.ts'
import { requestOrigin } from '../../http/request-origin.ts'
import { bearerToken, type NodeContext } from '../../http/route.ts'
import type { Settings } from '../../settings.ts'
import { toPerson } from '../queries.ts'
import { authenticate, authenticateCookie, findAuthenticatedSession } from '../tokens/authenticate.ts'
import { reuseOrSignToken, signToken, verifyToken } from '../tokens/tokens.ts'

const COOKIE_NAME = 'meydan_session'

/** Refusals that a page shows to its visitor; any other refusal renders the page signed out. */
const reportedRefusals: ReadonlySet<RefusalCode> = new Set(['RegionCut', 'Banned'] as const)

type PageSessionDeps = Pick<AppContext, 'settings' | 'keys' | 'reader' | 'clock' | 'replicationStatus'>

/**
 * The session of the request's cookie, for rendering; null when there is no live one. RegionCut while this region is cut
 * off and does not have the session, Banned when its user is banned. Writes nothing.
 */
export async function readPageSession(
  appContext: PageSessionDeps,
  context: NodeContext,
): Promise<PageSession | Refusal | null> {
  const cookie = getCookie(context, COOKIE_NAME)
  const session = cookie === undefined ? null : await openCookieSession(appContext, cookie)
  if (session instanceof Refusal && session.body.code === 'SessionEnded') clearBrowserCache(context)
  return session instanceof Refusal && !reportedRefusals.has(session.body.code) ? null : session
}

/** As `openPageSession`, of a cookie; SessionEnded when it is not valid. */
async function openCookieSession(appContext: PageSessionDeps, cookie: string): Promise<PageSession | Refusal> {
  const claims = await verifyToken(appContext.keys, 'cookie', cookie, appContext.clock())
  return claims ? openPageSession(appContext, claims) : refuse('SessionEnded')
}

/** The tokens and the user of these claims; only a root admin gets an admin token. Refuses as `findAuthenticatedSession`. */
export async function openPageSession(appContext: PageSessionDeps, claims: Claims): Promise<PageSession | Refusal> {
  const signedIn = await findAuthenticatedSession(appContext, claims)
  if (signedIn instanceof Refusal) return signedIn
  const { actor, user } = signedIn
  const now = appContext.clock()
  const person = toPerson(user, true, now)
  const token = await reuseOrSignToken(appContext.keys, 'userToken', actor, now)
  if (actor.role !== 'rootadmin') return { actor, person, token }
  return { actor, person, token, adminToken: await reuseOrSignToken(appContext.keys, 'adminToken', actor, now) }
}

/** The actor of the session cookie, whatever the request's origin; null without a cookie. */
export async function authenticateRequestCookie(
  appContext: PageSessionDeps,
  context: NodeContext,
): Promise<Actor | Refusal | null> {
  const value = getCookie(context, COOKIE_NAME)
  return value === undefined ? null : authenticateCookie(appContext, value)
}

/** The actor by token, or by cookie as browsers send it with image requests; null when the request has neither. */
export async function authenticateRequest(
  appContext: PageSessionDeps,
  context: NodeContext,
): Promise<Actor | Refusal | null> {
  const token = bearerToken(context)
  return token === null ? authenticateRequestCookie(appContext, context) : authenticate(appContext, token)
}

export async function setSessionCookie(appContext: PageSessionDeps, context: NodeContext, actor: Actor): Promise<void> {
  const value = await signToken(appContext.keys, 'cookie', actor, appContext.clock())
  setCookie(context, COOKIE_NAME, value, {
    ...cookieAttributes(appContext.settings, context),
    maxAge: SESSION_LIFETIME_MS / 1000,
  })
}

/** Deletes the session's cookie, and the files that its user has looked at. */
export function clearSessionCookie(appContext: PageSessionDeps, context: NodeContext): void {
  deleteCookie(context, COOKIE_NAME, cookieAttributes(appContext.settings, context))
  clearBrowserCache(context)
}

/** Private files are cached for a day (docs/decisions/0026). Browsers obey on https only, and on their own machine. */
function clearBrowserCache(context: NodeContext): void {
  context.header('Clear-Site-Data', '"cache"')
}

/** `secure` when the connection is https, or when the Origin of an allowed page is: a proxy may end TLS unseen. */
function cookieAttributes(settings: Settings, context: NodeContext) {
  const { incoming } = context.env
  const hasHttpsOrigin =
    requestOrigin(settings, incoming) === 'allowed' && incoming.headers.origin?.startsWith('https:') === true
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: hasHttpsOrigin || isHttps(settings, incoming) } as const
}
