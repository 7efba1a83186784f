import type { routes } from '../../shared/accounts/protocol.ts'
import { TERMS_VERSION } from '../../shared/accounts/terms.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import type { Actor, Claims } from '../database/transact.ts'
import type { RouteCall } from '../http/mount.ts'
import type { Marks } from '../moderation/queries.ts'
import type { Entrance } from './entrance.ts'
import { getHolder } from './queries.ts'
import type { Doorway } from './sessions.ts'
import { UNHEARD_MS, unheardSession } from './unheard-session.ts'

type Input = RouteCall<typeof routes.register>['input']

/** From where somebody registers. */
export interface SignUpFrom {
  address: string
  doorway: Doorway & { marks: Marks }
  /** The guest whose session the request brings. */
  own: Actor | null
}

/** Makes a member. One hash is computed whether the name is free or not, so that the time says no more than the text. */
export async function signUp(entrance: Entrance, input: Input, from: SignUpFrom): Promise<Claims | Refusal> {
  const { world, passwords } = entrance
  const passwordHash = await passwords.hash(input.password)
  if (passwordHash instanceof Refusal) return passwordHash
  const claims = await world.execute('registerMember', from.own, {
    username: input.username,
    passwordHash,
    age: input.age,
    gender: input.gender ?? null,
    termsVersion: TERMS_VERSION,
    ...from.doorway,
  })
  const mayBeDone = claims instanceof Refusal && ['UsernameTaken', 'AlreadyMember'].includes(claims.body.code)
  return (mayBeDone && (await doneBefore(entrance, input, from))) || claims
}

/**
 * The session of whoever has just become this very member and did not hear of it: the same browser tries the same name
 * and password once more.
 */
async function doneBefore(
  { world, limits, passwords }: Entrance,
  { username, password }: Input,
  { own, address, doorway }: SignUpFrom,
): Promise<Claims | null> {
  // Another region may have made the member.
  if (world.footing.role() !== 'primary') await world.footing.isFresh()
  const holder = getHolder(world.read, username)
  const now = world.clock()
  if (!holder?.termsAcceptedAt || now - holder.termsAcceptedAt > UNHEARD_MS) return null
  const claims = own?.userId === holder.id ? own : unheardSession(world.read, holder.id, doorway.browserId, now)
  const foldedName = foldName(username)
  if (!claims || limits.tryPassword(foldedName, address) > 0) return null
  const isRight = await passwords.matches(password, holder.passwordHash)
  if (isRight !== true) return null
  limits.succeeded(foldedName, address)
  return claims
}
