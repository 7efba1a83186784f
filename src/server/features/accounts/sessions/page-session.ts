import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SESSION_LIFETIME_MS } from '../../../../shared/accounts/rules.ts'
import { Refusal, type RefusalCode, refuse } from '../../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { Config } from '../../../kernel/config.ts'
import type { Actor, Claims } from '../../../kernel/database/transaction.ts'
import type { PageSession } from '../../../kernel/http/authentication.ts'
import { isHttps } from '../../../kernel/http/client-address.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import { requestOrigin } from '../../../kernel/http/request-origin.ts'
import { bearerToken } from '../../../kernel/http/route.ts'
import { type AuthenticatedSession, toPerson } from '../../../model/accounts/queries.ts'
import { authenticate, authenticateAdmin, findAuthenticatedSession, findCookieSession } from '../tokens/authenticate.ts'
import { reuseOrSignToken, signToken, verifyToken } from '../tokens/tokens.ts'

const COOKIE_NAME = 'meydan_session'
/** Carries the admin token from a log-in by a plain form to the next page. */
const HANDOVER_COOKIE_NAME = 'meydan_admin'
const MAX_HANDOVER_MS = 60_000

/** Refusals that a page shows to its visitor; any other refusal renders the page signed out. */
const reportedRefusals: ReadonlySet<RefusalCode> = new Set(['RegionCut', 'Banned'] as const)

type PageSessionDeps = Pick<
  AppContext,
  'config' | 'keys' | 'reader' | 'clock' | 'replicationStatus' | 'execute' | 'log'
>

/**
 * The session of the request's cookie, for rendering; null when there is no live one. RegionCut while this region is cut
 * off and does not have the session, Banned when its user is banned. Writes no rows; a cookie with the session's previous
 * key is replaced.
 */
export async function readPageSession(
  appContext: PageSessionDeps,
  context: NodeContext,
): Promise<PageSession | Refusal | null> {
  const session = await openCookieSession(appContext, context)
  if (session && !(session instanceof Refusal))
    return { ...session, ...(await takeAdminToken(appContext, context, session)) }
  if (session instanceof Refusal && session.body.code === 'SessionEnded') clearBrowserCache(context)
  return session instanceof Refusal && !reportedRefusals.has(session.body.code) ? null : session
}

/** As `openPageSession`, of the cookie; null without one, SessionEnded when it is not valid. */
async function openCookieSession(
  appContext: PageSessionDeps,
  context: NodeContext,
): Promise<PageSession | Refusal | null> {
  const claims = await readCookieClaims(appContext, context)
  if (claims === null || claims instanceof Refusal) return claims
  const signedIn = await findCookieSession(appContext, claims)
  if (signedIn instanceof Refusal) return signedIn
  const { actor } = signedIn
  if (actor.sessionId !== claims.sessionId || actor.key !== claims.key)
    await setSessionCookie(appContext, context, actor)
  return toPageSession(appContext, signedIn)
}

/** The claims of the session cookie; null without one, SessionEnded when it is not valid. */
export async function readCookieClaims(
  { keys, clock }: Pick<AppContext, 'keys' | 'clock'>,
  context: NodeContext,
): Promise<Claims | Refusal | null> {
  const value = getCookie(context, COOKIE_NAME)
  return value === undefined ? null : ((await verifyToken(keys, 'cookie', value, clock())) ?? refuse('SessionEnded'))
}

/** The user token and the user of these claims. Refuses as `findAuthenticatedSession`. */
export async function openPageSession(appContext: PageSessionDeps, claims: Claims): Promise<PageSession | Refusal> {
  const signedIn = await findAuthenticatedSession(appContext, claims)
  return signedIn instanceof Refusal ? signedIn : toPageSession(appContext, signedIn)
}

async function toPageSession(appContext: PageSessionDeps, { actor, user }: AuthenticatedSession): Promise<PageSession> {
  const now = appContext.clock()
  const person = toPerson(user, true, now)
  return { actor, person, token: await reuseOrSignToken(appContext.keys, 'userToken', actor, now) }
}

/** A token and the cookie for a session that was replaced in this request. */
export async function signInAgain(
  appContext: PageSessionDeps,
  context: NodeContext,
  claims: Claims,
): Promise<string | Refusal> {
  const session = await openPageSession(appContext, claims)
  if (session instanceof Refusal) return session
  await setSessionCookie(appContext, context, session.actor)
  return session.token
}

/** Hands an admin token to the page that this response redirects to: a plain form cannot store it. */
export function handOverAdminToken(appContext: PageSessionDeps, context: NodeContext, adminToken: string): void {
  const attributes = { ...cookieAttributes(appContext.config, context), sameSite: 'Strict' } as const
  setCookie(context, HANDOVER_COOKIE_NAME, adminToken, { ...attributes, maxAge: MAX_HANDOVER_MS / 1000 })
}

/** The admin token that a log-in by form handed over for this session, once. */
async function takeAdminToken(
  appContext: PageSessionDeps,
  context: NodeContext,
  { actor }: PageSession,
): Promise<{ adminToken?: string }> {
  const adminToken = getCookie(context, HANDOVER_COOKIE_NAME)
  if (adminToken === undefined) return {}
  deleteCookie(context, HANDOVER_COOKIE_NAME, cookieAttributes(appContext.config, context))
  const holder = await authenticateAdmin(appContext, adminToken)
  return holder instanceof Refusal || holder.sessionId !== actor.sessionId ? {} : { adminToken }
}

/** The actor of the session cookie, whatever the request's origin; null without a cookie. */
export async function authenticateRequestCookie(
  appContext: PageSessionDeps,
  context: NodeContext,
): Promise<Actor | Refusal | null> {
  const claims = await readCookieClaims(appContext, context)
  if (claims === null || claims instanceof Refusal) return claims
  const signedIn = await findCookieSession(appContext, claims)
  return signedIn instanceof Refusal ? signedIn : signedIn.actor
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
    ...cookieAttributes(appContext.config, context),
    maxAge: SESSION_LIFETIME_MS / 1000,
  })
}

/** Deletes the session's cookie, and the files that its user has looked at. */
export function clearSessionCookie(appContext: PageSessionDeps, context: NodeContext): void {
  deleteCookie(context, COOKIE_NAME, cookieAttributes(appContext.config, context))
  clearBrowserCache(context)
}

/** Private files are cached for a day. Browsers obey on https only, and on their own machine. */
function clearBrowserCache(context: NodeContext): void {
  context.header('Clear-Site-Data', '"cache"')
}

/** `secure` when the connection is https, or when the Origin of an allowed page is: a proxy may end TLS unseen. */
export function cookieAttributes(config: Config, context: NodeContext) {
  const { incoming } = context.env
  const hasHttpsOrigin =
    requestOrigin(config, incoming) === 'allowed' && incoming.headers.origin?.startsWith('https:') === true
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: hasHttpsOrigin || isHttps(config, incoming) } as const
}
