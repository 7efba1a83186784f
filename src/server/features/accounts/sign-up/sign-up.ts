import type { routes } from '../../../../shared/accounts/protocol.ts'
import { TERMS_VERSION } from '../../../../shared/accounts/terms.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import type { Actor, Claims } from '../../../kernel/database/transaction.ts'
import { addressGroup } from '../../../kernel/http/client-address.ts'
import type { RouteCall } from '../../../kernel/http/route.ts'
import type { PasswordWork } from '../../../model/accounts/passwords.ts'
import { findUserByName } from '../../../model/accounts/queries.ts'
import type { Fingerprint } from '../../../model/fingerprints/queries.ts'
import type { SignInContext } from '../../../model/sessions/transactions.ts'
import type { SignInDeps } from '../sign-in/sign-in-deps.ts'
import { findNewestSession, findUnacknowledgedSession, SIGN_IN_RETRY_MS } from '../sign-in/unacknowledged-session.ts'
import { registerMember } from './register-member.ts'

type SignUpInput = RouteCall<typeof routes.register>['input']

/** The origin of a sign-up request. */
export interface SignUpContext {
  address: string
  signInContext: SignInContext & { fingerprint: Fingerprint }
  /** The guest of the request's session, if any. */
  guestActor: Actor | null
  /** The guest of the request's token, also when a sign-up has replaced its session. */
  guestId: UserId | null
}

/**
 * Creates a member and returns the claims of the session. The hash is computed before the name is checked, so that the
 * response time does not reveal whether a name is taken. Refuses as `registerMember`, or with Busy.
 */
export async function signUp(
  signInDeps: SignInDeps,
  input: SignUpInput,
  context: SignUpContext,
): Promise<Claims | Refusal> {
  const { appContext, passwords } = signInDeps
  const passwordHash = await passwords.hash(input.password, workOf(context))
  if (passwordHash instanceof Refusal) return passwordHash
  const claims = await appContext.execute(registerMember, context.guestActor, {
    username: input.username,
    passwordHash,
    age: input.age,
    gender: input.gender ?? null,
    termsVersion: TERMS_VERSION,
    ...context.signInContext,
  })
  const mayBeRetry = claims instanceof Refusal && ['UsernameTaken', 'AlreadyMember'].includes(claims.body.code)
  return (mayBeRetry && (await findCompletedSignUp(signInDeps, input, context))) || claims
}

function workOf({ address }: Pick<SignUpContext, 'address'>): PasswordWork {
  return { queue: 'strangers', address: addressGroup(address), account: null }
}

/**
 * The session of a sign-up whose answer was lost: the same browser retries with the same name and password within
 * `SIGN_IN_RETRY_MS`. null when this is no such retry.
 */
export async function findCompletedSignUp(
  { appContext, limits, passwords }: SignInDeps,
  { username, password }: SignUpInput,
  { guestId, address, signInContext }: Omit<SignUpContext, 'guestActor'>,
): Promise<Claims | null> {
  // The first attempt may have gone through another region.
  if (appContext.replicationStatus.role() !== 'primary') await appContext.replicationStatus.waitUntilFresh()
  const holder = findUserByName(appContext.reader, username)
  const now = appContext.clock()
  if (!holder?.termsAcceptedAt || now - holder.termsAcceptedAt > SIGN_IN_RETRY_MS) return null
  const claims =
    guestId === holder.id
      ? findNewestSession(appContext.reader, holder.id)
      : findUnacknowledgedSession(appContext.reader, holder.id, signInContext.fingerprint.browserHash, now)
  const foldedName = foldName(username)
  const attempt = claims && limits.attemptPassword({ foldedName, address, device: null })
  if (!attempt || attempt.waitMs > 0) return null
  const isMatch = await passwords.verify(password, holder.passwordHash, workOf({ address }))
  if (isMatch !== true) return null
  attempt.refund()
  return claims
}
