import { randomUUID } from 'node:crypto'
import { setCookie } from 'hono/cookie'
import * as v from 'valibot'
import { type Platform, type Role, routes, type SignedIn, Username } from '../../../../shared/accounts/protocol.ts'
import { isReservedName } from '../../../../shared/accounts/reserved-names.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { Actor, Claims } from '../../../kernel/database/transaction.ts'
import { maintenance } from '../../../kernel/http/authentication.ts'
import { BROWSER_COOKIE_NAME, browserCookie, fitsBrowserCookie } from '../../../kernel/http/browser-cookie.ts'
import { addressGroup, attributableAddress, clientAddress } from '../../../kernel/http/client-address.ts'
import type { NodeApp, NodeContext } from '../../../kernel/http/node-app.ts'
import { requestOrigin } from '../../../kernel/http/request-origin.ts'
import { bearerToken, type RouteCall, registerRoute } from '../../../kernel/http/route.ts'
import { retryWhenFresh } from '../../../kernel/regions/retry-when-fresh.ts'
import type { PasswordWork } from '../../../model/accounts/passwords.ts'
import { findUserByName, getAuthenticatedSession, isNameFree } from '../../../model/accounts/queries.ts'
import { fingerprintOf } from '../../../model/fingerprints/access.ts'
import type { Fingerprint } from '../../../model/fingerprints/queries.ts'
import { listLookAlikes } from '../../../model/name-skeletons/queries.ts'
import type { SignInContext } from '../../../model/sessions/transactions.ts'
import { createOwnPasswordVerifier } from '../passwords/verify-own-password.ts'
import { describeDevice } from '../sessions/device.ts'
import { endSession } from '../sessions/end-session.ts'
import {
  authenticateRequestCookie,
  clearSessionCookie,
  cookieAttributes,
  handOverAdminToken,
  openPageSession,
  setSessionCookie,
} from '../sessions/page-session.ts'
import { deniesSession, isTokenCopied, presentedClaims, renewRequestKey } from '../sessions/renew-request-key.ts'
import { keyStateOf } from '../sessions/session-keys.ts'
import { needsTouch, touchSession } from '../sessions/touch-session.ts'
import { findCompletedSignUp, signUp } from '../sign-up/sign-up.ts'
import { authenticateIgnoringExpiry } from '../tokens/authenticate.ts'
import { signToken } from '../tokens/tokens.ts'
import { findFamiliarDevice, rememberDevice } from './familiar-device.ts'
import { openGuestSession } from './open-guest-session.ts'
import { openMemberSession } from './open-member-session.ts'
import type { SignInDeps } from './sign-in-deps.ts'
import { loginForm, logOutForm, type RerenderLanding, signInForm, signUpForm } from './sign-in-forms.ts'

const LIFETIME_S = 365 * 24 * 60 * 60

type SignInResult = SignedIn | Refusal

/** `/api/users`: guest sign-in, sign-in, sign-up, token renewal, admin tokens, sign-out, and whether a name is free. */
export function signInRoutes(app: NodeApp, signInDeps: SignInDeps, rerenderLanding: RerenderLanding): void {
  const { appContext, limits } = signInDeps
  registerRoute(
    app,
    appContext,
    routes.guestLogin,
    (call) => guestLogin(signInDeps, call),
    signInForm(rerenderLanding, 'guest'),
  )
  registerRoute(
    app,
    appContext,
    routes.login,
    (call) => login(signInDeps, call),
    loginForm(rerenderLanding, (context, adminToken) => handOverAdminToken(appContext, context, adminToken)),
  )
  registerRoute(app, appContext, routes.confirmPassword, (call) => confirmPassword(signInDeps, call))
  registerRoute(app, appContext, routes.register, (call) => register(signInDeps, call), signUpForm(rerenderLanding))
  registerRoute(app, appContext, routes.refreshToken, ({ context }) => refreshToken(appContext, context))
  registerRoute(app, appContext, routes.logOut, (call) => logOut(appContext, call), logOutForm)

  registerRoute(app, appContext, routes.isRegister, ({ input: { name }, context }) => {
    const waitMs = limits.consumeNameLookup(clientAddress(appContext.config, context.env.incoming))
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const holder = findUserByName(appContext.reader, name)
    const { clock, presence, reader } = appContext
    const isFree = [holder, ...listLookAlikes(reader, name, holder?.id ?? null)].every((each) =>
      isNameFree(each, each ? presence.isConnected(each.id) : false, clock()),
    )
    const isReserved = isReservedName(name)
    return {
      success: true as const,
      isRegister: holder?.isGuest === 0,
      available: isFree && v.is(Username, name) && !isReserved,
      isReserved,
    }
  })
}

async function guestLogin(
  { appContext, limits }: SignInDeps,
  { input, context }: RouteCall<typeof routes.guestLogin>,
): Promise<SignInResult> {
  const waitMs = limits.consumeSignIn(clientAddress(appContext.config, context.env.incoming))
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const own = await authenticateRequest(appContext, context)
  if (own instanceof Refusal && (own.body.code === 'Banned' || isTokenCopied(own))) return own
  const isGenderChange =
    !(own instanceof Refusal) &&
    input.gender &&
    getAuthenticatedSession(appContext.reader, own)?.user.gender !== input.gender
  const genderWaitMs = isGenderChange ? limits.consumeGenderChange(own.userId) : 0
  if (genderWaitMs > 0) return refuse('RateLimited', { waitMs: genderWaitMs })
  const claims = await appContext.execute(openGuestSession, own instanceof Refusal ? null : own, {
    username: input.username,
    gender: input.gender ?? null,
    ...signInContextOf(appContext, context, input),
    fingerprint: signInFingerprint(appContext, context, input.browserId),
  })
  if (claims instanceof Refusal) return claims
  const isOwn = !(own instanceof Refusal) && claims.sessionId === own.sessionId
  // Only a refresh renews the key: a present key from here would hide that the tokens were copied.
  return answerSignIn(appContext, context, isOwn ? own : claims, input.browserId)
}

async function login(
  { appContext, limits, passwords }: SignInDeps,
  { input, context }: RouteCall<typeof routes.login>,
): Promise<SignInResult> {
  const address = clientAddress(appContext.config, context.env.incoming)
  const foldedName = foldName(input.username)
  const device = findFamiliarDevice(appContext, context, findUserByName(appContext.reader, input.username))
  const waitMs = limits.consumeSignIn(address, device && foldedName)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const attempt = limits.attemptPassword({ foldedName, address, device })
  if (attempt.waitMs > 0) return refuse('RateLimited', { waitMs: attempt.waitMs })

  const queue = attempt.isFamiliar ? 'familiar' : 'strangers'
  const work: PasswordWork = { queue, address: addressGroup(address), account: foldedName }
  const member = await verifyMember({ appContext, passwords }, input, work)
  if (!(member instanceof Refusal && member.body.code === 'LoginFailed')) attempt.refund()
  if (member instanceof Refusal) return member
  const { role, ...verified } = member
  if (appContext.service(maintenance).isClosedTo(role)) return refuse('Maintenance')
  const claims = await appContext.execute(openMemberSession, null, {
    ...verified,
    ...signInContextOf(appContext, context, input),
    fingerprint: signInFingerprint(appContext, context, input.browserId),
  })
  if (claims instanceof Refusal) return claims
  const signedIn = await answerSignIn(appContext, context, claims, input.browserId)
  if (signedIn instanceof Refusal) return signedIn
  rememberDevice(appContext, context, claims.userId)
  if (signedIn.user.role !== 'rootadmin') return signedIn
  return { ...signedIn, adminToken: await signAdminToken(appContext, claims) }
}

/** An admin token for a root admin's password. */
async function confirmPassword(
  signInDeps: SignInDeps,
  { actor, input, context }: RouteCall<typeof routes.confirmPassword>,
) {
  const { appContext } = signInDeps
  if (actor.role !== 'rootadmin') return refuse('Forbidden')
  const verified = await createOwnPasswordVerifier(signInDeps).verify(actor, input.password, context)
  if (verified instanceof Refusal) return verified
  return { success: true as const, adminToken: await signAdminToken(appContext, actor) }
}

/** Only for a password that was verified just now: it counts for the lifetime of the token. */
function signAdminToken({ keys, clock }: AppContext, claims: Claims): Promise<string> {
  return signToken(keys, 'adminToken', claims, clock())
}

/**
 * The member with this name and password. A replica may lack a new member or a new password: it retries once it is fresh
 * before it refuses with LoginFailed, and refuses with RegionCut when it cannot catch up.
 */
async function verifyMember(
  { appContext, passwords }: Pick<SignInDeps, 'appContext' | 'passwords'>,
  { username, password }: { username: string; password: string },
  work: PasswordWork,
): Promise<{ userId: UserId; passwordHash: string; role: Role } | Refusal> {
  return retryWhenFresh(appContext, 'LoginFailed', async () => {
    const holder = findUserByName(appContext.reader, username)
    const passwordHash = holder?.passwordHash ?? null
    const isMatch = await passwords.verify(password, passwordHash, work)
    if (isMatch instanceof Refusal) return isMatch
    if (!isMatch || !holder || passwordHash === null) return refuse('LoginFailed')
    return { userId: holder.id, passwordHash, role: holder.role }
  })
}

async function register(
  signInDeps: SignInDeps,
  { input, context }: RouteCall<typeof routes.register>,
): Promise<SignInResult> {
  const { appContext, limits } = signInDeps
  const { incoming } = context.env
  const address = clientAddress(appContext.config, incoming)
  const waitMs = limits.consumeSignUp(address)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const own = await authenticateRequest(appContext, context)
  // An invalid token is refused: its guest would otherwise get a second account. An expired cookie is ignored.
  const isStaleCookie = own instanceof Refusal && own.body.code === (bearerToken(context) ? null : 'SessionEnded')
  const isRefused = own instanceof Refusal && own.body.code !== 'NotSignedIn' && !isStaleCookie
  if (isRefused && own.body.code !== 'SessionEnded') return own
  const presented = await presentedClaims(appContext, context)
  const signUpContext = {
    address,
    signInContext: {
      ...signInContextOf(appContext, context, input),
      fingerprint: signInFingerprint(appContext, context, input.browserId),
    },
    guestActor: own instanceof Refusal ? null : own,
    guestId: presented instanceof Refusal ? null : (presented[0]?.userId ?? null),
  }
  // A sign-up has replaced the session, and its answer may have been lost.
  const claims = isRefused
    ? ((await findCompletedSignUp(signInDeps, input, signUpContext)) ?? own)
    : await signUp(signInDeps, input, signUpContext)
  if (claims instanceof Refusal) return claims
  const signedIn = await answerSignIn(appContext, context, claims, input.browserId)
  if (!(signedIn instanceof Refusal)) rememberDevice(appContext, context, claims.userId)
  return signedIn
}

async function refreshToken(appContext: AppContext, context: NodeContext): Promise<SignInResult> {
  const renewed = await renewRequestKey(appContext, context)
  if (renewed instanceof Refusal && deniesSession(renewed)) return renewed
  // While the primary cannot be reached, the session goes on with its present key.
  const claims = renewed instanceof Refusal ? await authenticateRequest(appContext, context) : renewed
  if (claims instanceof Refusal) return claims
  const signedIn = getAuthenticatedSession(appContext.reader, claims)
  if (signedIn && needsTouch(signedIn.session, appContext.clock()))
    await appContext.execute(touchSession, signedIn.actor, {})
  return answerSignIn(appContext, context, claims)
}

/** Ends the session of the token; a cookie alone is not enough. Clears the cookie unless it is of another live session. */
async function logOut(appContext: AppContext, { input, context }: RouteCall<typeof routes.logOut>) {
  const token = bearerToken(context) ?? input.token
  if (token === undefined) return refuse('NotSignedIn')
  const actor = await authenticateIgnoringExpiry(appContext, token)
  if (actor instanceof Refusal) return actor
  const ended = await appContext.execute(endSession, actor, {})
  if (ended instanceof Refusal) return ended
  const cookie = await authenticateRequestCookie(appContext, context)
  if (cookie === null || cookie instanceof Refusal) clearSessionCookie(appContext, context)
  return { success: true as const }
}

/**
 * The actor by token, even an expired one, or by the cookie when the request comes from an allowed origin. A token with an old
 * key ends its session, as in a refresh.
 */
async function authenticateRequest(appContext: AppContext, context: NodeContext): Promise<Actor | Refusal> {
  const token = bearerToken(context)
  const byToken = token === null ? null : await authenticateIgnoringExpiry(appContext, token)
  const isReused = byToken !== null && !(byToken instanceof Refusal) && hasReusedKey(appContext, byToken)
  if (byToken !== null && !(byToken instanceof Refusal) && !isReused) return byToken
  const isAllowedOrigin = requestOrigin(appContext.config, context.env.incoming) === 'allowed'
  const byCookie = isAllowedOrigin ? await authenticateRequestCookie(appContext, context) : null
  if (!isReused) return byCookie ?? byToken ?? refuse('NotSignedIn')
  if (byCookie !== null && !(byCookie instanceof Refusal)) return byCookie
  const ended = await renewRequestKey(appContext, context)
  return ended instanceof Refusal ? ended : refuse('SessionEnded')
}

function hasReusedKey({ reader, clock }: AppContext, actor: Actor): boolean {
  const session = getAuthenticatedSession(reader, actor)?.session
  return session !== undefined && keyStateOf(session, actor.key ?? 0, clock()) === 'reused'
}

/** The answer of every sign-in; also sets the cookies of the session and the browser. */
async function answerSignIn(
  appContext: AppContext,
  context: NodeContext,
  claims: Claims,
  browserId?: string,
): Promise<SignInResult> {
  const session = await openPageSession(appContext, claims)
  if (session instanceof Refusal) return session
  const { actor, person, ...tokens } = session
  await setSessionCookie(appContext, context, actor)
  nameBrowser(appContext, context, browserId)
  return { success: true, ...tokens, user: person }
}

/** The sign-in context of a request: platform, device by its User-Agent, and this region. */
function signInContextOf(
  { config }: Pick<AppContext, 'config'>,
  context: NodeContext,
  { lastLoginPlatform }: { lastLoginPlatform: Platform },
): SignInContext {
  const device = describeDevice(context.req.header('user-agent'))
  return { platform: lastLoginPlatform, device, region: config.region }
}

/** The fingerprint of a request that signs in; `browserId` is the id in the page's storage. */
function signInFingerprint(
  appContext: Pick<AppContext, 'keys' | 'config'>,
  context: NodeContext,
  browserId: string | null = null,
): Fingerprint {
  const { config } = appContext
  const { incoming } = context.env
  const address = clientAddress(config, incoming) || null
  const isSharedAddress = attributableAddress(config, incoming) === null
  return { ...fingerprintOf(appContext, { browserId, cookie: browserCookie(incoming), address }), isSharedAddress }
}

/**
 * Sets the cookie of a browser without one, to the id of its storage where that fits: both give the same mark then, as long
 * as the page keeps its id.
 */
function nameBrowser(
  { config }: Pick<AppContext, 'config'>,
  context: NodeContext,
  browserId: string | null = null,
): void {
  if (browserCookie(context.env.incoming) !== null) return
  const name = browserId !== null && fitsBrowserCookie(browserId) ? browserId : randomUUID()
  setCookie(context, BROWSER_COOKIE_NAME, name, { ...cookieAttributes(config, context), maxAge: LIFETIME_S })
}
