import type { routes } from '../../../shared/accounts/protocol.ts'
import { TERMS_VERSION } from '../../../shared/accounts/terms.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Actor, Claims } from '../../database/transact.ts'
import type { RouteCall } from '../../http/route.ts'
import type { GuestFingerprint } from '../../moderation/queries.ts'
import { findUserByName } from '../queries.ts'
import type { SignInContext } from '../sessions/sessions.ts'
import type { SignInDeps } from '../sign-in/sign-in-deps.ts'
import { findUnacknowledgedSession, SIGN_IN_RETRY_MS } from '../sign-in/unacknowledged-session.ts'
import { registerMember } from './register-member.ts'

type SignUpInput = RouteCall<typeof routes.register>['input']

/** From where somebody registers. */
export interface SignUpContext {
  address: string
  signInContext: SignInContext & { fingerprint: GuestFingerprint }
  /** The guest whose session the request brings. */
  guestActor: Actor | null
}

/** Makes a member. One hash is computed whether the name is free or not, so that the time says no more than the text. */
export async function signUp(entrance: SignInDeps, input: SignUpInput, from: SignUpContext): Promise<Claims | Refusal> {
  const { world, passwords } = entrance
  const passwordHash = await passwords.hash(input.password)
  if (passwordHash instanceof Refusal) return passwordHash
  const claims = await world.execute(registerMember, from.guestActor, {
    username: input.username,
    passwordHash,
    age: input.age,
    gender: input.gender ?? null,
    termsVersion: TERMS_VERSION,
    ...from.signInContext,
  })
  const mayBeDone = claims instanceof Refusal && ['UsernameTaken', 'AlreadyMember'].includes(claims.body.code)
  return (mayBeDone && (await findCompletedSignUp(entrance, input, from))) || claims
}

/**
 * The session of whoever has just become this very member and did not hear of it: the same browser tries the same name
 * and password once more.
 */
async function findCompletedSignUp(
  { world, limits, passwords }: SignInDeps,
  { username, password }: SignUpInput,
  { guestActor, address, signInContext }: SignUpContext,
): Promise<Claims | null> {
  // Another region may have made the member.
  if (world.replicationStatus.role() !== 'primary') await world.replicationStatus.waitUntilFresh()
  const holder = findUserByName(world.reader, username)
  const now = world.clock()
  if (!holder?.termsAcceptedAt || now - holder.termsAcceptedAt > SIGN_IN_RETRY_MS) return null
  const claims =
    guestActor?.userId === holder.id
      ? guestActor
      : findUnacknowledgedSession(world.reader, holder.id, signInContext.browserId, now)
  const foldedName = foldName(username)
  if (!claims || limits.consumePasswordAttempt(foldedName, address) > 0) return null
  const isRight = await passwords.verify(password, holder.passwordHash)
  if (isRight !== true) return null
  limits.recordPasswordSuccess(foldedName, address)
  return claims
}
