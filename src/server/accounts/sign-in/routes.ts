import * as v from 'valibot'
import { type PublicProfile, type Role, routes, type SignedIn, Username } from '../../../shared/accounts/protocol.ts'
import { isReservedName } from '../../../shared/accounts/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { AppContext } from '../../app-context.ts'
import type { Reader } from '../../database/read.ts'
import type { Actor, Claims } from '../../database/transact.ts'
import { attributableAddress, clientAddress } from '../../http/client-address.ts'
import { requestOrigin } from '../../http/request-origin.ts'
import { bearerToken, type NodeApp, type NodeContext, type RouteCall, registerRoute } from '../../http/route.ts'
import { fingerprintOf, isInMaintenanceFor } from '../../moderation/access.ts'
import { getActiveBan } from '../../moderation/queries.ts'
import { retryWhenFresh } from '../../regions/retry-when-fresh.ts'
import { blockStatus } from '../../relations/queries.ts'
import {
  findUserByName,
  getAuthenticatedSession,
  isNameFree,
  toPerson,
  toProfileDetails,
  type UserRow,
} from '../queries.ts'
import { endSession } from '../sessions/end-session.ts'
import {
  authenticateRequestCookie,
  clearSessionCookie,
  openPageSession,
  setSessionCookie,
} from '../sessions/page-session.ts'
import { needsTouch, touchSession } from '../sessions/touch-session.ts'
import { signUp } from '../sign-up/sign-up.ts'
import { authenticateIgnoringExpiry } from '../tokens/authenticate.ts'
import { openGuestSession } from './open-guest-session.ts'
import { openMemberSession } from './open-member-session.ts'
import { signInContextOf } from './sign-in-context.ts'
import type { SignInDeps } from './sign-in-deps.ts'
import { logOutForm, type RerenderLanding, signInForm, signUpForm } from './sign-in-forms.ts'

type SignInResult = SignedIn | Refusal

/** `/api/users`: the ways in and out, and who a name belongs to. */
export function signInRoutes(app: NodeApp, entrance: SignInDeps, landing: RerenderLanding): void {
  const { world, limits } = entrance
  registerRoute(app, world, routes.guestLogin, (call) => guestLogin(entrance, call), signInForm(landing, 'guest'))
  registerRoute(app, world, routes.login, (call) => login(entrance, call), signInForm(landing, 'login'))
  registerRoute(app, world, routes.register, (call) => register(entrance, call), signUpForm(landing))
  registerRoute(app, world, routes.refreshToken, ({ context }) => refreshToken(world, context))
  registerRoute(app, world, routes.logOut, (call) => logOut(world, call), logOutForm)

  registerRoute(app, world, routes.isRegister, ({ input: { name }, context }) => {
    const waitMs = limits.consumeNameLookup(clientAddress(world.settings, context.env.incoming))
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const holder = findUserByName(world.reader, name)
    const isFree = isNameFree(holder, holder ? world.presence.isOnline(holder.id) : false, world.clock())
    return {
      success: true as const,
      isRegister: holder?.isGuest === 0,
      available: isFree && v.is(Username, name) && !isReservedName(name),
    }
  })

  registerRoute(app, world, routes.userByName, ({ input, actor }) =>
    world.reader.snapshot((reader) => {
      const user = findUserByName(reader, input.name)
      return user ? { success: true as const, user: publicProfileFor(world, reader, actor, user) } : refuse('NotFound')
    }),
  )
}

/** What a look at somebody shows: with a block between the two, no more than lists do. Root admins see all. */
function publicProfileFor(world: AppContext, reader: Reader, actor: Actor, user: UserRow): PublicProfile {
  const now = world.clock()
  const onlineFor = world.presence.onlineMs(user.id)
  const status = blockStatus(reader, actor.userId, user.id)
  const person = { ...toPerson(user, onlineFor !== null, now), status }
  const isRootAdmin = actor.role === 'rootadmin'
  if (!isRootAdmin && (status.hasBlockedProfile || status.isBlockedByProfile)) return person
  const connectedAt = onlineFor === null ? null : Math.round(now - onlineFor)
  const face = { ...person, ...toProfileDetails(user), connectedAt, lastActive: user.lastSeenAt }
  return isRootAdmin ? { ...face, isBanned: getActiveBan(reader, user.id, now) !== undefined } : face
}

async function guestLogin(
  { world, limits }: SignInDeps,
  { input, context }: RouteCall<typeof routes.guestLogin>,
): Promise<SignInResult> {
  const waitMs = limits.consumeSignIn(clientAddress(world.settings, context.env.incoming))
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const own = await authenticateRequest(world, context)
  if (own instanceof Refusal && own.body.code === 'Banned') return own
  const isNew =
    !(own instanceof Refusal) &&
    input.gender &&
    getAuthenticatedSession(world.reader, own)?.user.gender !== input.gender
  const genderMs = isNew ? limits.consumeGenderChange(own.userId) : 0
  if (genderMs > 0) return refuse('RateLimited', { waitMs: genderMs })
  const address = attributableAddress(world.settings, context.env.incoming)
  const claims = await world.execute(openGuestSession, own instanceof Refusal ? null : own, {
    username: input.username,
    gender: input.gender ?? null,
    ...signInContextOf(world, context, input),
    fingerprint: fingerprintOf(world, input.browserId ?? null, address),
  })
  return claims instanceof Refusal ? claims : answerSignIn(world, context, claims)
}

async function login(
  { world, limits, passwords }: SignInDeps,
  { input, context }: RouteCall<typeof routes.login>,
): Promise<SignInResult> {
  const address = clientAddress(world.settings, context.env.incoming)
  const foldedName = foldName(input.username)
  const waitMs = limits.consumeSignIn(address) || limits.consumePasswordAttempt(foldedName, address)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })

  const member = await verifyMember({ world, passwords }, input)
  if (member instanceof Refusal) {
    if (member.body.code !== 'LoginFailed') limits.refundPasswordAttempt(foldedName, address)
    return member
  }
  limits.recordPasswordSuccess(foldedName, address)
  const { role, ...claimed } = member
  if (isInMaintenanceFor(world, role)) return refuse('Maintenance')
  const claims = await world.execute(openMemberSession, null, {
    ...claimed,
    ...signInContextOf(world, context, input),
  })
  return claims instanceof Refusal ? claims : answerSignIn(world, context, claims)
}

/**
 * Whose name and password these are. Another region may know of a new member or a new password already, so one that is
 * not the primary looks twice before it says LoginFailed, and says RegionCut where it cannot know.
 */
async function verifyMember(
  { world, passwords }: Pick<SignInDeps, 'world' | 'passwords'>,
  { username, password }: { username: string; password: string },
): Promise<{ userId: number; passwordHash: string; role: Role } | Refusal> {
  return retryWhenFresh(world, 'LoginFailed', async () => {
    const holder = findUserByName(world.reader, username)
    const passwordHash = holder?.passwordHash ?? null
    const isRight = await passwords.verify(password, passwordHash)
    if (isRight instanceof Refusal) return isRight
    if (!isRight || !holder || passwordHash === null) return refuse('LoginFailed')
    return { userId: holder.id, passwordHash, role: holder.role }
  })
}

async function register(
  entrance: SignInDeps,
  { input, context }: RouteCall<typeof routes.register>,
): Promise<SignInResult> {
  const { world, limits } = entrance
  const { incoming } = context.env
  const address = clientAddress(world.settings, incoming)
  const waitMs = limits.consumeSignUp(address)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const own = await authenticateRequest(world, context)
  // A token that is worth nothing makes nobody new, beside the guest that they were; an old cookie is no hindrance.
  const isNobody = own instanceof Refusal && own.body.code === (bearerToken(context) ? null : 'SessionEnded')
  if (own instanceof Refusal && own.body.code !== 'NotSignedIn' && !isNobody) return own
  const claims = await signUp(entrance, input, {
    address,
    signInContext: {
      ...signInContextOf(world, context, input),
      fingerprint: fingerprintOf(world, input.browserId ?? null, attributableAddress(world.settings, incoming)),
    },
    guestActor: own instanceof Refusal ? null : own,
  })
  return claims instanceof Refusal ? claims : answerSignIn(world, context, claims)
}

async function refreshToken(world: AppContext, context: NodeContext): Promise<SignInResult> {
  const actor = await authenticateRequest(world, context)
  if (actor instanceof Refusal) return actor
  const signedIn = getAuthenticatedSession(world.reader, actor)
  if (signedIn && needsTouch(signedIn.session, world.clock())) await world.execute(touchSession, actor, {})
  return answerSignIn(world, context, actor)
}

/** The cookie alone logs nobody out: it changes nothing. It goes, unless it is of another session that lives. */
async function logOut(world: AppContext, { input, context }: RouteCall<typeof routes.logOut>) {
  const token = bearerToken(context) ?? input.token
  if (token === undefined) return refuse('NotSignedIn')
  const actor = await authenticateIgnoringExpiry(world, token)
  if (actor instanceof Refusal) return actor
  const ended = await world.execute(endSession, actor, {})
  if (ended instanceof Refusal) return ended
  const cookie = await authenticateRequestCookie(world, context)
  if (cookie === null || cookie instanceof Refusal) clearSessionCookie(world, context)
  return { success: true as const }
}

/** Whose live session the request brings: by its token, even an expired one, or by the cookie from a page of ours. */
async function authenticateRequest(world: AppContext, context: NodeContext): Promise<Actor | Refusal> {
  const token = bearerToken(context)
  const byToken = token === null ? null : await authenticateIgnoringExpiry(world, token)
  if (byToken !== null && !(byToken instanceof Refusal)) return byToken
  const isOwn = requestOrigin(world.settings, context.env.incoming) === 'allowed'
  const byCookie = isOwn ? await authenticateRequestCookie(world, context) : null
  return byCookie ?? byToken ?? refuse('NotSignedIn')
}

/** The answer of every way in, with the cookie beside it. */
async function answerSignIn(world: AppContext, context: NodeContext, claims: Claims): Promise<SignInResult> {
  const session = await openPageSession(world, claims)
  if (session instanceof Refusal) return session
  const { actor, person, ...tokens } = session
  await setSessionCookie(world, context, actor)
  return { success: true, ...tokens, user: person }
}
