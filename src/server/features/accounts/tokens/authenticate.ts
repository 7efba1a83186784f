import type { SessionId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import type { Actor, Claims } from '../../../kernel/database/transaction.ts'
import {
  type AuthenticatedSession,
  findRenewableSession,
  getAuthenticatedSession,
} from '../../../model/accounts/queries.ts'
import { findRestriction } from '../../../model/restrictions/queries.ts'
import { keyStateOf, recordKeyUse } from '../sessions/session-keys.ts'
import { type TokenPurpose, verifyToken } from './tokens.ts'

export type AuthDeps = Pick<AppContext, 'keys' | 'reader' | 'clock' | 'replicationStatus' | 'execute' | 'log'>

/** Sessions whose first use of a new key is being recorded. */
const recordedSessions = new Set<SessionId>()

/**
 * The actor of a user token, with the role of the row. SessionEnded when the token is invalid or expired, or its session
 * has ended; the client may then renew the token.
 */
export async function authenticate(appContext: AuthDeps, token: string): Promise<Actor | Refusal> {
  const signedIn = await findTokenSession(appContext, 'userToken', token, 'refused')
  if (signedIn instanceof Refusal) return signedIn
  const { actor, session } = signedIn
  if (session.keyUsedAt === null && actor.key === session.key) recordFirstUse(appContext, actor, session.key)
  return actor
}

function recordFirstUse({ execute, log }: AuthDeps, actor: Actor, key: number): void {
  const { sessionId } = actor
  if (recordedSessions.has(sessionId)) return
  recordedSessions.add(sessionId)
  execute(recordKeyUse, actor, { key })
    .catch((error: unknown) => log.warn({ err: error }, 'cannot record the first use of a key'))
    .finally(() => recordedSessions.delete(sessionId))
}

/**
 * The actor of an admin token. Forbidden for a valid user token, and for a user who is no longer a root admin, because
 * renewing the token would not help. PasswordRequired for an admin token that has expired.
 */
export async function authenticateAdmin(appContext: AuthDeps, token: string): Promise<Actor | Refusal> {
  const actor = await authenticateToken(appContext, 'adminToken', token, 'refused')
  if (!(actor instanceof Refusal)) return actor.role === 'rootadmin' ? actor : refuse('Forbidden')
  const isUserToken = !((await authenticate(appContext, token)) instanceof Refusal)
  if (isUserToken) return refuse('Forbidden')
  const expired = await authenticateToken(appContext, 'adminToken', token, 'accepted')
  if (expired instanceof Refusal) return actor
  return refuse(expired.role === 'rootadmin' ? 'PasswordRequired' : 'Forbidden')
}

/** As `authenticate`, but accepts an expired token with a valid signature: for token renewal and sign-out. */
export function authenticateIgnoringExpiry(appContext: AuthDeps, token: string): Promise<Actor | Refusal> {
  return authenticateToken(appContext, 'userToken', token, 'accepted')
}

/**
 * The session of a cookie's claims, with its present id and key: a page carries a token, so a cookie is accepted only while
 * its key could be renewed.
 */
export function findCookieSession(
  appContext: Pick<AuthDeps, 'reader' | 'replicationStatus' | 'clock'>,
  claims: Claims,
): Promise<AuthenticatedSession | Refusal> {
  return findAuthenticatedSession(appContext, claims, (reader) => {
    const session = findRenewableSession(reader, claims)
    const { userId, key: presentedKey = 0 } = claims
    if (!session || keyStateOf(session, presentedKey, appContext.clock()) === 'reused') return undefined
    return getAuthenticatedSession(reader, { userId, sessionId: session.id, key: Math.max(session.key, presentedKey) })
  })
}

async function authenticateToken(
  appContext: AuthDeps,
  purpose: TokenPurpose,
  token: string,
  expired: 'accepted' | 'refused',
): Promise<Actor | Refusal> {
  const signedIn = await findTokenSession(appContext, purpose, token, expired)
  return signedIn instanceof Refusal ? signedIn : signedIn.actor
}

async function findTokenSession(
  appContext: AuthDeps,
  purpose: TokenPurpose,
  token: string,
  expired: 'accepted' | 'refused',
): Promise<AuthenticatedSession | Refusal> {
  const claims = await verifyToken(appContext.keys, purpose, token, appContext.clock(), expired)
  return claims ? findAuthenticatedSession(appContext, claims) : refuse('SessionEnded')
}

/**
 * The user and session of these claims. A missing session may be new in another region, so a replica waits until it is
 * fresh before it refuses with SessionEnded, and refuses with RegionCut when it cannot catch up. A ban ends all sessions,
 * so a banned user is refused with Banned instead.
 */
export async function findAuthenticatedSession(
  appContext: Pick<AppContext, 'reader' | 'replicationStatus' | 'clock'>,
  claims: Claims,
  findSession = (reader: Reader) => getAuthenticatedSession(reader, claims),
): Promise<AuthenticatedSession | Refusal> {
  const found = findSession(appContext.reader)
  if (found) return found
  const banRefusal = findRestriction(appContext.reader, { kind: 'siteBan', userId: claims.userId }, appContext.clock())
  if (banRefusal) return banRefusal
  if (!(await appContext.replicationStatus.waitUntilFresh())) return refuse('RegionCut')
  return findSession(appContext.reader) ?? refuse('SessionEnded')
}
