import * as v from 'valibot'
import { type PublicFace, type Role, routes, type SignedIn, Username } from '../../shared/accounts/protocol.ts'
import { isReservedName } from '../../shared/accounts/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import type { Reader } from '../database/read.ts'
import type { Actor, Claims } from '../database/transact.ts'
import { clientAddress, ownAddress } from '../http/client-address.ts'
import { bearerToken, mount, type NodeApp, type NodeContext, type RouteCall } from '../http/mount.ts'
import { provenance } from '../http/origin.ts'
import { isClosedTo, marksOf } from '../moderation/access.ts'
import { getBan } from '../moderation/queries.ts'
import { blockStatus } from '../relations/queries.ts'
import type { World } from '../world.ts'
import { recognise } from './authenticate.ts'
import { doorwayOf } from './doorway.ts'
import type { Entrance } from './entrance.ts'
import { entryForm, type LandingAgain, logOutForm, signUpForm } from './forms.ts'
import { lookTwice } from './look-twice.ts'
import { clearSessionCookie, cookieActor, openPageSession, setSessionCookie } from './page-session.ts'
import { getHolder, getSignedIn, isNameFree, toAbout, toPerson, type UserRow } from './queries.ts'
import { signUp } from './sign-up.ts'
import { isToBeNoted } from './touch-session.ts'

type Entry = SignedIn | Refusal

/** `/api/users`: the ways in and out, and who a name belongs to. */
export function accountRoutes(app: NodeApp, entrance: Entrance, landing: LandingAgain): void {
  const { world, limits } = entrance
  mount(app, world, routes.guestLogin, (call) => guestLogin(entrance, call), entryForm(landing, 'guest'))
  mount(app, world, routes.login, (call) => login(entrance, call), entryForm(landing, 'login'))
  mount(app, world, routes.register, (call) => register(entrance, call), signUpForm(landing))
  mount(app, world, routes.refreshToken, ({ context }) => refreshToken(world, context))
  mount(app, world, routes.logOut, (call) => logOut(world, call), logOutForm)

  mount(app, world, routes.isRegister, ({ input: { name }, context }) => {
    const waitMs = limits.lookUp(clientAddress(world.settings, context.env.incoming))
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const holder = getHolder(world.read, name)
    const isFree = isNameFree(holder, holder ? world.presence.isOnline(holder.id) : false, world.clock())
    return {
      success: true as const,
      isRegister: holder?.isGuest === 0,
      available: isFree && v.is(Username, name) && !isReservedName(name),
    }
  })

  mount(app, world, routes.userByName, ({ input, actor }) =>
    world.read.snapshot((reader) => {
      const user = getHolder(reader, input.name)
      return user ? { success: true as const, user: faceFor(world, reader, actor, user) } : refuse('NotFound')
    }),
  )
}

/** What a look at somebody shows: with a block between the two, no more than lists do. Root admins see all. */
function faceFor(world: World, reader: Reader, actor: Actor, user: UserRow): PublicFace {
  const now = world.clock()
  const onlineFor = world.presence.onlineFor(user.id)
  const status = blockStatus(reader, actor.userId, user.id)
  const person = { ...toPerson(user, onlineFor !== null, now), status }
  const isRootAdmin = actor.role === 'rootadmin'
  if (!isRootAdmin && (status.hasBlockedProfile || status.isBlockedByProfile)) return person
  const connectedAt = onlineFor === null ? null : Math.round(now - onlineFor)
  const face = { ...person, ...toAbout(user), connectedAt, lastActive: user.lastSeenAt }
  return isRootAdmin ? { ...face, isBanned: getBan(reader, user.id, now) !== undefined } : face
}

async function guestLogin(
  { world, limits }: Entrance,
  { input, context }: RouteCall<typeof routes.guestLogin>,
): Promise<Entry> {
  const waitMs = limits.enter(clientAddress(world.settings, context.env.incoming))
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const own = await whoAsks(world, context)
  if (own instanceof Refusal && own.body.code === 'Banned') return own
  const isNew = !(own instanceof Refusal) && input.gender && getSignedIn(world.read, own)?.user.gender !== input.gender
  const genderMs = isNew ? limits.newGender(own.userId) : 0
  if (genderMs > 0) return refuse('RateLimited', { waitMs: genderMs })
  const address = ownAddress(world.settings, context.env.incoming)
  const claims = await world.execute('openGuestSession', own instanceof Refusal ? null : own, {
    username: input.username,
    gender: input.gender ?? null,
    ...doorwayOf(world, context, input),
    marks: marksOf(world, input.browserId ?? null, address),
  })
  return claims instanceof Refusal ? claims : enter(world, context, claims)
}

async function login(
  { world, limits, passwords }: Entrance,
  { input, context }: RouteCall<typeof routes.login>,
): Promise<Entry> {
  const address = clientAddress(world.settings, context.env.incoming)
  const foldedName = foldName(input.username)
  const waitMs = limits.enter(address) || limits.tryPassword(foldedName, address)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })

  const member = await memberWith({ world, passwords }, input)
  if (member instanceof Refusal) {
    if (member.body.code !== 'LoginFailed') limits.withdrawn(foldedName, address)
    return member
  }
  limits.succeeded(foldedName, address)
  const { role, ...claimed } = member
  if (isClosedTo(world, role)) return refuse('Maintenance')
  const claims = await world.execute('openMemberSession', null, {
    ...claimed,
    ...doorwayOf(world, context, input),
  })
  return claims instanceof Refusal ? claims : enter(world, context, claims)
}

/**
 * Whose name and password these are. Another region may know of a new member or a new password already, so one that is
 * not the primary looks twice before it says LoginFailed, and says RegionCut where it cannot know.
 */
async function memberWith(
  { world, passwords }: Pick<Entrance, 'world' | 'passwords'>,
  { username, password }: { username: string; password: string },
): Promise<{ userId: number; passwordHash: string; role: Role } | Refusal> {
  return lookTwice(world, 'LoginFailed', async () => {
    const holder = getHolder(world.read, username)
    const passwordHash = holder?.passwordHash ?? null
    const isRight = await passwords.matches(password, passwordHash)
    if (isRight instanceof Refusal) return isRight
    if (!isRight || !holder || passwordHash === null) return refuse('LoginFailed')
    return { userId: holder.id, passwordHash, role: holder.role }
  })
}

async function register(entrance: Entrance, { input, context }: RouteCall<typeof routes.register>): Promise<Entry> {
  const { world, limits } = entrance
  const { incoming } = context.env
  const address = clientAddress(world.settings, incoming)
  const waitMs = limits.signUp(address)
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const own = await whoAsks(world, context)
  // A token that is worth nothing makes nobody new, beside the guest that they were; an old cookie is no hindrance.
  const isNobody = own instanceof Refusal && own.body.code === (bearerToken(context) ? null : 'SessionEnded')
  if (own instanceof Refusal && own.body.code !== 'NotSignedIn' && !isNobody) return own
  const claims = await signUp(entrance, input, {
    address,
    doorway: {
      ...doorwayOf(world, context, input),
      marks: marksOf(world, input.browserId ?? null, ownAddress(world.settings, incoming)),
    },
    own: own instanceof Refusal ? null : own,
  })
  return claims instanceof Refusal ? claims : enter(world, context, claims)
}

async function refreshToken(world: World, context: NodeContext): Promise<Entry> {
  const actor = await whoAsks(world, context)
  if (actor instanceof Refusal) return actor
  const signedIn = getSignedIn(world.read, actor)
  if (signedIn && isToBeNoted(signedIn.session, world.clock())) await world.execute('touchSession', actor, {})
  return enter(world, context, actor)
}

/** The cookie alone logs nobody out: it changes nothing. It goes, unless it is of another session that lives. */
async function logOut(world: World, { input, context }: RouteCall<typeof routes.logOut>) {
  const token = bearerToken(context) ?? input.token
  if (token === undefined) return refuse('NotSignedIn')
  const actor = await recognise(world, token)
  if (actor instanceof Refusal) return actor
  const ended = await world.execute('endSession', actor, {})
  if (ended instanceof Refusal) return ended
  const cookie = await cookieActor(world, context)
  if (cookie === null || cookie instanceof Refusal) clearSessionCookie(world, context)
  return { success: true as const }
}

/** Whose live session the request brings: by its token, even an expired one, or by the cookie from a page of ours. */
async function whoAsks(world: World, context: NodeContext): Promise<Actor | Refusal> {
  const token = bearerToken(context)
  const byToken = token === null ? null : await recognise(world, token)
  if (byToken !== null && !(byToken instanceof Refusal)) return byToken
  const isOwn = provenance(world.settings, context.env.incoming) === 'own'
  const byCookie = isOwn ? await cookieActor(world, context) : null
  return byCookie ?? byToken ?? refuse('NotSignedIn')
}

/** The answer of every way in, with the cookie beside it. */
async function enter(world: World, context: NodeContext, claims: Claims): Promise<Entry> {
  const session = await openPageSession(world, claims)
  if (session instanceof Refusal) return session
  const { actor, person, ...tokens } = session
  await setSessionCookie(world, context, actor)
  return { success: true, ...tokens, user: person }
}
