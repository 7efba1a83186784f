import { randomInt } from 'node:crypto'
import { type Platform, sessionEndMessages } from '../../../shared/accounts/protocol.ts'
import { MAX_SESSIONS } from '../../../shared/accounts/sessions-protocol.ts'
import { query } from '../../database/query.ts'
import { userStream } from '../../database/streams.ts'
import type { Transaction } from '../../database/transact.ts'
import type { GuestFingerprint } from '../../moderation/queries.ts'
import { sessionsOfUser } from '../queries.ts'

declare module '../../database/define-hooks.ts' {
  interface TransactionHooks {
    /** A guest has lost the name and does not come back. */
    onGuestNameReleased: { userId: number }
  }
}

/** Where somebody enters from. */
export interface SignInContext {
  browserId: string | null
  platform: Platform
  /** The browser and its system in a few words (device.ts), and the region that opens the door. */
  device?: string | undefined
  region?: string | undefined
  /** By what a guest is known again where a ban holds; absent for members, whom their account tells. */
  fingerprint?: GuestFingerprint | undefined
}

const insertSession = query<{
  id: number
  userId: number
  browserId: string | null
  platform: Platform
  device: string | null
  region: string | null
  now: number
}>()((db, p) =>
  db.insertInto('session').values({
    id: p('id'),
    userId: p('userId'),
    browserId: p('browserId'),
    platform: p('platform'),
    device: p('device'),
    region: p('region'),
    createdAt: p('now'),
    lastSeenAt: p('now'),
  }),
)
const updateLastSignIn = query<{ id: number; platform: Platform; now: number }>()((db, p) =>
  db
    .updateTable('user')
    .set({ lastLoginPlatform: p('platform'), lastSeenAt: p('now') })
    .where('id', '=', p('id')),
)
const deleteSession = query<{ id: number }>()((db, p) => db.deleteFrom('session').where('id', '=', p('id')))
const setNameReleasedAt = query<{ id: number; now: number }>()((db, p) =>
  db
    .updateTable('user')
    .set({ nameReleasedAt: p('now') })
    .where('id', '=', p('id')),
)

/** As many ids as `randomInt` can draw from: 2^48 less one. */
const MAX_SESSION_ID = 2 ** 48 - 1

/** Opens a session for this person and answers its id. Where there are as many as may be, those that were not seen for longest end. */
export function openSession(tx: Transaction, userId: number, doorway: SignInContext): number {
  const { browserId, platform, device = null, region = null } = doorway
  const beyond = tx.all(sessionsOfUser, { userId }).slice(MAX_SESSIONS - 1)
  for (const session of beyond) closeSession(tx, { ...session, userId }, sessionEndMessages.tooManySessions)
  const id = randomInt(1, MAX_SESSION_ID)
  tx.run(insertSession, { id, userId, browserId, platform, device, region, now: tx.now })
  recordSignIn(tx, userId, platform)
  return id
}

/** The person is here now, from this platform. */
export function recordSignIn(tx: Transaction, userId: number, platform: Platform): void {
  tx.run(updateLastSignIn, { id: userId, platform, now: tx.now })
}

/** Ends one session everywhere: its row goes, and every socket of it hears so and closes. */
export function closeSession(tx: Transaction, session: { id: number; userId: number }, message: string): void {
  const { changes } = tx.run(deleteSession, { id: session.id })
  if (changes === 0) return
  tx.emit({
    stream: userStream(session.userId),
    audience: `session:${session.id}`,
    name: 'forceDisconnect',
    payload: { message },
  })
}

/** Ends all sessions of a person. */
export function closeAllSessions(tx: Transaction, userId: number, message: string): void {
  for (const { id } of tx.all(sessionsOfUser, { userId })) closeSession(tx, { id, userId }, message)
}

/** Ends all sessions of a person but one, and answers how many those were. */
export function closeOtherSessions(tx: Transaction, userId: number, keepSessionId: number, message: string): number {
  const others = tx.all(sessionsOfUser, { userId }).filter(({ id }) => id !== keepSessionId)
  for (const { id } of others) closeSession(tx, { id, userId }, message)
  return others.length
}

/** The guest's name is free for others, and the guest who held it cannot come back under it. */
export function releaseGuestName(tx: Transaction, userId: number): void {
  closeAllSessions(tx, userId, sessionEndMessages.nameReleased)
  tx.run(setNameReleasedAt, { id: userId, now: tx.now })
  tx.runHooks('onGuestNameReleased', { userId })
}
