import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Actor } from '../database/transact.ts'
import type { World } from '../world.ts'
import { getSignedIn } from './queries.ts'
import { type Purpose, verifyToken } from './tokens.ts'

type Doors = Pick<World, 'keys' | 'read' | 'clock'>

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
  return (claims && getSignedIn(world.read, claims)?.actor) ?? refuse('SessionEnded')
}
