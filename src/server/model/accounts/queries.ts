import type { Selectable } from 'kysely'
import type { Person, ProfileDetails, UserSummary } from '../../../shared/accounts/protocol.ts'
import { isGuestNameExpired } from '../../../shared/accounts/rules.ts'
import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Claims } from '../../kernel/database/transaction.ts'
import type { SessionUser } from '../../kernel/http/authentication.ts'
import { query, type Tables } from '../schema/query.ts'

export type UserRow = Selectable<Tables['user']>
export type SessionRow = Selectable<Tables['session']>

export const userById = query<{ id: UserId }>()((db, p) => db.selectFrom('user').selectAll().where('id', '=', p('id')))

/** The current holder of a name; guests whose name was released are left out. */
export const userByFoldedName = query<{ foldedName: string }>()((db, p) =>
  db.selectFrom('user').selectAll().where('foldedName', '=', p('foldedName')).where('nameReleasedAt', 'is', null),
)

export const sessionById = query<{ id: SessionId }>()((db, p) =>
  db.selectFrom('session').selectAll().where('id', '=', p('id')),
)

const sessionByPreviousId = query<{ previousId: SessionId }>()((db, p) =>
  db.selectFrom('session').selectAll().where('previousId', '=', p('previousId')),
)

/** The session seen last comes first. */
export const sessionsOfUser = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', p('userId'))
    .orderBy('lastSeenAt', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id'),
)

export const firstRootAdmin = query()((db) =>
  db.selectFrom('user').select('id').where('role', '=', 'rootadmin').limit(1),
)

/** The ids of all root admins. */
export const rootAdmins = query()((db) => db.selectFrom('user').select('id').where('role', '=', 'rootadmin'))

const memberByAvatar = query<{ path: string }>()((db, p) =>
  db.selectFrom('user').select('id').where('avatarUrl', '=', p('path')).where('isGuest', '=', 0).limit(1),
)
const memberByLargeAvatar = query<{ path: string }>()((db, p) =>
  db.selectFrom('user').select('id').where('largeAvatarUrl', '=', p('path')).where('isGuest', '=', 0).limit(1),
)

/** Whether an upload path is the current avatar of a member, in either size. */
export function isAvatarInUse(reader: Reader, path: string): boolean {
  return reader.get(memberByAvatar, { path }) !== undefined || reader.get(memberByLargeAvatar, { path }) !== undefined
}

/** The current holder of this name, compared by its folded form; undefined when it has none. */
export function findUserByName(reader: Reader, name: string): UserRow | undefined {
  return reader.get(userByFoldedName, { foldedName: foldName(name) })
}

/** A user and one of their sessions. */
export interface AuthenticatedSession {
  actor: Actor
  user: UserRow
  session: SessionRow
}

/** The user and session of these claims, with the user's current role; undefined once the session has ended. */
export function getAuthenticatedSession(reader: Reader, claims: Claims): AuthenticatedSession | undefined {
  const session = reader.get(sessionById, { id: claims.sessionId })
  if (!session || session.userId !== claims.userId) return undefined
  const user = reader.get(userById, { id: session.userId })
  if (!user) return undefined
  const actor = { userId: user.id, sessionId: session.id, role: user.role, ...(claims.key && { key: claims.key }) }
  return { actor, user, session }
}

/** The session of these claims, also by its id before a change of role; undefined once it has ended. */
export function findRenewableSession(reader: Pick<Reader, 'get'>, claims: Claims): SessionRow | undefined {
  const { sessionId } = claims
  const session =
    reader.get(sessionById, { id: sessionId }) ?? reader.get(sessionByPreviousId, { previousId: sessionId })
  return session?.userId === claims.userId ? session : undefined
}

/** The rows of an actor; null when the session has ended. */
export function findSessionUser(reader: Reader, { userId, sessionId }: Claims, now: number): SessionUser | null {
  const user = reader.get(userById, { id: userId })
  const session = reader.get(sessionById, { id: sessionId })
  return user && session ? { user, session, person: toPerson(user, true, now) } : null
}

/** Whether a name can be assigned: it has no holder, or its holder is an offline guest whose claim has expired. */
export function isNameFree(holder: UserRow | undefined, isOnline: boolean, now: number): boolean {
  return !holder || (holder.isGuest === 1 && !isOnline && isGuestNameExpired(holder.lastSeenAt, now))
}

/** The summary of a user with whether they are online. */
export function toPerson(row: UserRow, isOnline: boolean, now: number): Person {
  return { ...toUserSummary(row, now), isOnline }
}

/** The profile fields that a user fills in. A guest has no avatar (specification 1, point 1). */
export function toProfileDetails({ isGuest, age, city, bio, largeAvatarUrl }: UserRow): ProfileDetails {
  return { age, city, bio, largeAvatarUrl: isGuest === 1 ? null : largeAvatarUrl }
}

/** What lists and messages show of a user. A guest always has the default avatar (specification 1, point 1). */
export function toUserSummary(row: UserRow, now: number): UserSummary {
  const isGuest = row.isGuest === 1
  const { premiumUntil } = row
  return {
    id: row.id,
    username: row.username,
    gender: row.gender,
    avatarUrl: isGuest ? null : row.avatarUrl,
    isGuest,
    role: row.role,
    premiumStatus: premiumUntil !== null && premiumUntil > now ? 'premium' : 'guest',
    ...(premiumUntil !== null && { premiumExpiryDate: premiumUntil }),
    lastLoginPlatform: row.lastLoginPlatform,
  }
}
