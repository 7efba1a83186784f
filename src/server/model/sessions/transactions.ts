import { randomInt } from 'node:crypto'
import { type Platform, sessionEndMessages } from '../../../shared/accounts/protocol.ts'
import { MAX_SESSIONS } from '../../../shared/accounts/sessions-protocol.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Claims, Transaction } from '../../kernel/database/transaction.ts'
import { type SessionRow, sessionsOfUser } from '../accounts/queries.ts'
import type { Fingerprint } from '../fingerprints/queries.ts'
import { insertRow, query, updateRow } from '../schema/query.ts'

/** A user is gone for good: a guest whose name was released, or a member whose account is erased. */
export const onUserRemoved = new Hook<{ userId: UserId; reason: 'guestNameReleased' | 'accountErased' }>()
/** A session has another id; rows that refer to it must refer to the new one. */
export const onSessionReplaced = new Hook<{ oldId: SessionId; newId: SessionId }>()

/** What a new session records of its browser. */
export interface SignInContext {
  platform: Platform
  /** The browser and system as device.ts describes them, and the region of the sign-in. */
  device?: string | undefined
  region?: string | undefined
  /** Where the sign-in comes from (model/fingerprints); absent in tests. */
  fingerprint?: Fingerprint | undefined
}

const insertSession = insertRow('session', [
  'id',
  'userId',
  'browserHash',
  'platform',
  'device',
  'region',
  'createdAt',
  'lastSeenAt',
])
const insertReplacement = insertRow('session', [
  'id',
  'userId',
  'browserHash',
  'platform',
  'device',
  'region',
  'createdAt',
  'lastSeenAt',
  'key',
  'keyUsedAt',
  'previousId',
])
const updateLastSignIn = updateRow('user', ['id'], ['lastLoginPlatform', 'lastSeenAt'])
const deleteSession = query<{ id: SessionId }>()((db, p) => db.deleteFrom('session').where('id', '=', p('id')))
const setNameReleasedAt = updateRow('user', ['id'], ['nameReleasedAt'])

/** The widest range that `randomInt` accepts: 2^48 - 1. */
const MAX_SESSION_ID = 2 ** 48 - 1

/** Opens a session and returns its id. At the limit of sessions per user, those unused for longest end. */
export function openSession(tx: Transaction, userId: UserId, signInContext: SignInContext): SessionId {
  const { platform, device = null, region = null, fingerprint } = signInContext
  const browserHash = fingerprint?.browserHash ?? null
  const surplus = tx.all(sessionsOfUser, { userId }).slice(MAX_SESSIONS - 1)
  for (const session of surplus) closeSession(tx, { ...session, userId }, sessionEndMessages.tooManySessions)
  const id = newSessionId()
  tx.run(insertSession, { id, userId, browserHash, platform, device, region, createdAt: tx.now, lastSeenAt: tx.now })
  recordSignIn(tx, userId, platform)
  return id
}

function newSessionId(): SessionId {
  return randomInt(1, MAX_SESSION_ID)
}

/**
 * Gives a session another id and key, because what it may do has changed: tokens from before give no access, in any region.
 * Its connections wait for a token of the new one.
 * @param isRenewable whether a refresh accepts the tokens from before, for a browser that gets no answer with new ones
 */
export function replaceSession(tx: Transaction, old: SessionRow, { isRenewable }: { isRenewable: boolean }): Claims {
  const id = newSessionId()
  const key = old.key + 1
  tx.run(insertReplacement, { ...old, id, key, keyUsedAt: null, previousId: isRenewable ? old.id : null })
  tx.runHooks(onSessionReplaced, { oldId: old.id, newId: id })
  tx.run(deleteSession, { id: old.id })
  tx.emit({
    stream: userStream(old.userId),
    audience: `session:${old.id}`,
    name: 'sessionReplaced',
    payload: { sessionId: id, isRenewable },
  })
  return { userId: old.userId, sessionId: id, key }
}

/** Records the platform and time of a sign-in. */
export function recordSignIn(tx: Transaction, userId: UserId, platform: Platform): void {
  tx.run(updateLastSignIn, { id: userId, lastLoginPlatform: platform, lastSeenAt: tx.now })
}

/** Ends one session in every region: deletes its row and closes its connections with `message`. */
export function closeSession(tx: Transaction, session: { id: SessionId; userId: UserId }, message: string): void {
  const { changes } = tx.run(deleteSession, { id: session.id })
  if (changes === 0) return
  tx.emit({
    stream: userStream(session.userId),
    audience: `session:${session.id}`,
    name: 'forceDisconnect',
    payload: { message },
  })
}

/** Ends all sessions of a user. */
export function closeAllSessions(tx: Transaction, userId: UserId, message: string): void {
  for (const { id } of tx.all(sessionsOfUser, { userId })) closeSession(tx, { id, userId }, message)
}

/** Ends all sessions of a user except one; returns how many ended. */
export function closeOtherSessions(tx: Transaction, userId: UserId, keepSessionId: SessionId, message: string): number {
  const others = tx.all(sessionsOfUser, { userId }).filter(({ id }) => id !== keepSessionId)
  for (const { id } of others) closeSession(tx, { id, userId }, message)
  return others.length
}

/** Releases a guest's name for others and ends the guest's sessions, so that the guest cannot resume under it. */
export function releaseGuestName(tx: Transaction, userId: UserId): void {
  closeAllSessions(tx, userId, sessionEndMessages.nameReleased)
  tx.run(setNameReleasedAt, { id: userId, nameReleasedAt: tx.now })
  tx.runHooks(onUserRemoved, { userId, reason: 'guestNameReleased' })
}
