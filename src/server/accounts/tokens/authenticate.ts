import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../app-context.ts'
import type { Actor, Claims } from '../../database/transact.ts'
import { findBanRefusal } from '../../moderation/access.ts'
import { type AuthenticatedSession, getAuthenticatedSession } from '../queries.ts'
import { type TokenPurpose, verifyToken } from './tokens.ts'

export type AuthDeps = Pick<AppContext, 'keys' | 'reader' | 'clock' | 'replicationStatus'>

/**
 * The actor of a user token, with the role of the row. SessionEnded when the token is invalid or expired, or its session
 * has ended; the client may then renew the token.
 */
export function authenticate(appContext: AuthDeps, token: string): Promise<Actor | Refusal> {
  return authenticateToken(appContext, 'userToken', token, 'refused')
}

/**
 * The actor of an admin token. Forbidden for a valid user token, and for a user who is no longer a root admin, because
 * renewing the token would not help.
 */
export async function authenticateAdmin(appContext: AuthDeps, token: string): Promise<Actor | Refusal> {
  const actor = await authenticateToken(appContext, 'adminToken', token, 'refused')
  if (!(actor instanceof Refusal)) return actor.role === 'rootadmin' ? actor : refuse('Forbidden')
  const isUserToken = !((await authenticate(appContext, token)) instanceof Refusal)
  return isUserToken ? refuse('Forbidden') : actor
}

/** As `authenticate`, but accepts an expired token with a valid signature: for token renewal and sign-out. */
export function authenticateIgnoringExpiry(appContext: AuthDeps, token: string): Promise<Actor | Refusal> {
  return authenticateToken(appContext, 'userToken', token, 'accepted')
}

/** The actor of a session cookie's value. */
export function authenticateCookie(appContext: AuthDeps, value: string): Promise<Actor | Refusal> {
  return authenticateToken(appContext, 'cookie', value, 'refused')
}

async function authenticateToken(
  appContext: AuthDeps,
  purpose: TokenPurpose,
  token: string,
  expired: 'accepted' | 'refused',
): Promise<Actor | Refusal> {
  const claims = await verifyToken(appContext.keys, purpose, token, appContext.clock(), expired)
  if (!claims) return refuse('SessionEnded')
  const signedIn = await findAuthenticatedSession(appContext, claims)
  return signedIn instanceof Refusal ? signedIn : signedIn.actor
}

/**
 * The user and session of these claims. A missing session may be new in another region, so a replica waits until it is
 * fresh before it refuses with SessionEnded, and refuses with RegionCut when it cannot catch up. A ban ends all sessions,
 * so a banned user is refused with Banned instead.
 */
export async function findAuthenticatedSession(
  appContext: Pick<AppContext, 'reader' | 'replicationStatus' | 'clock'>,
  claims: Claims,
): Promise<AuthenticatedSession | Refusal> {
  const found = getAuthenticatedSession(appContext.reader, claims)
  if (found) return found
  const banRefusal = findBanRefusal(appContext, claims.userId)
  if (banRefusal) return banRefusal
  if (!(await appContext.replicationStatus.waitUntilFresh())) return refuse('RegionCut')
  return getAuthenticatedSession(appContext.reader, claims) ?? refuse('SessionEnded')
}
