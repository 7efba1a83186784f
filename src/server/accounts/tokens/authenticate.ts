import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../app-context.ts'
import type { Actor, Claims } from '../../database/transact.ts'
import { findBanRefusal } from '../../moderation/access.ts'
import { type AuthenticatedSession, getAuthenticatedSession } from '../queries.ts'
import { type TokenPurpose, verifyToken } from './tokens.ts'

export type AuthDeps = Pick<AppContext, 'keys' | 'reader' | 'clock' | 'replicationStatus'>

/**
 * Who a token speaks for, as the rows say now. SessionEnded when it is not ours, has expired, or its session is over:
 * whoever sends it may ask for a fresh one.
 */
export function authenticate(world: AuthDeps, token: string): Promise<Actor | Refusal> {
  return authenticateToken(world, 'userToken', token, 'refused')
}

/**
 * Who an admin token speaks for. Forbidden for a valid user token, and once that person is no root admin any more:
 * a fresh token would not help.
 */
export async function authenticateAdmin(world: AuthDeps, token: string): Promise<Actor | Refusal> {
  const actor = await authenticateToken(world, 'adminToken', token, 'refused')
  if (!(actor instanceof Refusal)) return actor.role === 'rootadmin' ? actor : refuse('Forbidden')
  const isUserToken = !((await authenticate(world, token)) instanceof Refusal)
  return isUserToken ? refuse('Forbidden') : actor
}

/** As `authenticate`, but an authentic token that has expired is enough: to get a fresh one, or to log out. */
export function authenticateIgnoringExpiry(world: AuthDeps, token: string): Promise<Actor | Refusal> {
  return authenticateToken(world, 'userToken', token, 'accepted')
}

/** Who the value of a session cookie speaks for. */
export function authenticateCookie(world: AuthDeps, value: string): Promise<Actor | Refusal> {
  return authenticateToken(world, 'cookie', value, 'refused')
}

async function authenticateToken(
  world: AuthDeps,
  purpose: TokenPurpose,
  token: string,
  expired: 'accepted' | 'refused',
): Promise<Actor | Refusal> {
  const claims = await verifyToken(world.keys, purpose, token, world.clock(), expired)
  if (!claims) return refuse('SessionEnded')
  const signedIn = await findAuthenticatedSession(world, claims)
  return signedIn instanceof Refusal ? signedIn : signedIn.actor
}

/**
 * The person and session of these claims. What is not found may have been made in another region a moment ago, so only
 * a region that is up to date says SessionEnded; one that lags or is cut off says RegionCut. A ban has ended all
 * sessions, so whoever is banned has none, and learns why.
 */
export async function findAuthenticatedSession(
  world: Pick<AppContext, 'reader' | 'replicationStatus' | 'clock'>,
  claims: Claims,
): Promise<AuthenticatedSession | Refusal> {
  const found = getAuthenticatedSession(world.reader, claims)
  if (found) return found
  const banned = findBanRefusal(world, claims.userId)
  if (banned) return banned
  if (!(await world.replicationStatus.waitUntilFresh())) return refuse('RegionCut')
  return getAuthenticatedSession(world.reader, claims) ?? refuse('SessionEnded')
}
