import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor, Claims } from '../database/transact.ts'
import { refuseBanned } from '../moderation/access.ts'
import type { World } from '../world.ts'
import { getSignedIn, type SignedIn } from './queries.ts'
import { type Purpose, verifyToken } from './tokens.ts'

export type Doors = Pick<World, 'keys' | 'read' | 'clock' | 'footing'>

/**
 * Who a token speaks for, as the rows say now. SessionEnded when it is not ours, has expired, or its session is over:
 * whoever sends it may ask for a fresh one.
 */
export function authenticate(world: Doors, token: string): Promise<Actor | Refusal> {
  return actorOf(world, 'userToken', token, 'refused')
}

/** Who an admin token speaks for: Forbidden once that person is no root admin any more. */
export async function authenticateAdmin(world: Doors, token: string): Promise<Actor | Refusal> {
  const actor = await actorOf(world, 'adminToken', token, 'refused')
  if (actor instanceof Refusal || actor.role === 'rootadmin') return actor
  return refuse('Forbidden')
}

/** As `authenticate`, but an authentic token that has expired is enough: to get a fresh one, or to log out. */
export function recognise(world: Doors, token: string): Promise<Actor | Refusal> {
  return actorOf(world, 'userToken', token, 'accepted')
}

/** Who the value of a session cookie speaks for. */
export function authenticateCookie(world: Doors, value: string): Promise<Actor | Refusal> {
  return actorOf(world, 'cookie', value, 'refused')
}

async function actorOf(
  world: Doors,
  purpose: Purpose,
  token: string,
  expired: 'accepted' | 'refused',
): Promise<Actor | Refusal> {
  const claims = await verifyToken(world.keys, purpose, token, world.clock(), expired)
  if (!claims) return refuse('SessionEnded')
  const signedIn = await findSignedIn(world, claims)
  return signedIn instanceof Refusal ? signedIn : signedIn.actor
}

/**
 * The person and session of these claims. What is not found may have been made in another region a moment ago, so only
 * a region that is up to date says SessionEnded; one that lags or is cut off says RegionCut. A ban has ended all
 * sessions, so whoever is banned has none, and learns why.
 */
export async function findSignedIn(
  world: Pick<World, 'read' | 'footing' | 'clock'>,
  claims: Claims,
): Promise<SignedIn | Refusal> {
  const found = getSignedIn(world.read, claims)
  if (found) return found
  const banned = refuseBanned(world, claims.userId)
  if (banned) return banned
  if (!(await world.footing.isFresh())) return refuse('RegionCut')
  return getSignedIn(world.read, claims) ?? refuse('SessionEnded')
}
