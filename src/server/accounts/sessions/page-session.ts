import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { SESSION_LIFETIME_MS } from '../../../shared/accounts/rules.ts'
import { Refusal, type RefusalCode } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../app-context.ts'
import type { Actor, Claims } from '../../database/transact.ts'
import { isHttps } from '../../http/client-address.ts'
import { requestOrigin } from '../../http/request-origin.ts'
import { bearerToken, type NodeContext } from '../../http/route.ts'
import type { Settings } from '../../settings.ts'
import { toPerson } from '../queries.ts'
import { authenticate, authenticateCookie, findAuthenticatedSession } from '../tokens/authenticate.ts'
import { reuseOrSignToken, signToken } from '../tokens/tokens.ts'

const COOKIE_NAME = 'meydan_session'

/** What whoever looks at a page is told; without a session for any other reason they are strangers. */
const reportedRefusals: ReadonlySet<RefusalCode> = new Set(['RegionCut', 'Banned'] as const)

type PageSessionDeps = Pick<AppContext, 'settings' | 'keys' | 'reader' | 'clock' | 'replicationStatus'>

/** Who looks at a page, with what the browser keeps of it. */
export interface PageSession {
  actor: Actor
  person: Person
  token: string
  adminToken?: string
}

/**
 * Whose session the cookie of this request is, for rendering; null when it has none that lives. RegionCut while this
 * region cannot tell, Banned where it was a banned person's. Changes nothing.
 */
export async function readPageSession(
  world: PageSessionDeps,
  context: NodeContext,
): Promise<PageSession | Refusal | null> {
  const actor = await authenticateRequestCookie(world, context)
  const session = actor instanceof Refusal || actor === null ? actor : await openPageSession(world, actor)
  return session instanceof Refusal && !reportedRefusals.has(session.body.code) ? null : session
}

/** A fresh token for this actor, the admin token for a root admin, and the person. */
export async function openPageSession(world: PageSessionDeps, claims: Claims): Promise<PageSession | Refusal> {
  const signedIn = await findAuthenticatedSession(world, claims)
  if (signedIn instanceof Refusal) return signedIn
  const { actor, user } = signedIn
  const now = world.clock()
  const person = toPerson(user, true, now)
  const token = await reuseOrSignToken(world.keys, 'userToken', actor, now)
  if (actor.role !== 'rootadmin') return { actor, person, token }
  return { actor, person, token, adminToken: await reuseOrSignToken(world.keys, 'adminToken', actor, now) }
}

/** Who the request's cookie speaks for, wherever the request comes from; null without a cookie. */
export async function authenticateRequestCookie(
  world: PageSessionDeps,
  context: NodeContext,
): Promise<Actor | Refusal | null> {
  const value = getCookie(context, COOKIE_NAME)
  return value === undefined ? null : authenticateCookie(world, value)
}

/** Who looks at what a page shows, by their token or, as a browser fetches pictures, by their cookie; null for a stranger. */
export async function optionalActor(world: PageSessionDeps, context: NodeContext): Promise<Actor | Refusal | null> {
  const token = bearerToken(context)
  return token === null ? authenticateRequestCookie(world, context) : authenticate(world, token)
}

export async function setSessionCookie(world: PageSessionDeps, context: NodeContext, actor: Actor): Promise<void> {
  const value = await signToken(world.keys, 'cookie', actor, world.clock())
  setCookie(context, COOKIE_NAME, value, {
    ...cookieAttributes(world.settings, context),
    maxAge: SESSION_LIFETIME_MS / 1000,
  })
}

export function clearSessionCookie(world: PageSessionDeps, context: NodeContext): void {
  deleteCookie(context, COOKIE_NAME, cookieAttributes(world.settings, context))
}

/** Secure wherever the browser speaks https, which it says itself in the Origin of a page of ours. */
function cookieAttributes(settings: Settings, context: NodeContext) {
  const { incoming } = context.env
  const saysHttps =
    requestOrigin(settings, incoming) === 'allowed' && incoming.headers.origin?.startsWith('https:') === true
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: saysHttps || isHttps(settings, incoming) } as const
}
