import type { Selectable } from 'kysely'
import type { About, Face, Person } from '../../shared/accounts/protocol.ts'
import { isGuestGone } from '../../shared/accounts/rules.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { Database } from '../database/schema.ts'
import type { Actor } from '../database/transact.ts'

export type UserRow = Selectable<Database['user']>
type SessionRow = Selectable<Database['session']>

export const userById = query<{ id: number }>()((db, p) => db.selectFrom('user').selectAll().where('id', '=', p('id')))

/** Who holds a name now; whoever held it before and let it go is not found. */
export const userByFoldedName = query<{ foldedName: string }>()((db, p) =>
  db.selectFrom('user').selectAll().where('foldedName', '=', p('foldedName')).where('nameReleasedAt', 'is', null),
)

export const sessionById = query<{ id: number }>()((db, p) =>
  db.selectFrom('session').selectAll().where('id', '=', p('id')),
)

/** The one seen last comes first. */
export const sessionsOfUser = query<{ userId: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', p('userId'))
    .orderBy('lastSeenAt', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id'),
)

export const anyRootAdmin = query()((db) => db.selectFrom('user').select('id').where('role', '=', 'rootadmin').limit(1))

const byAvatar = query<{ path: string }>()((db, p) =>
  db.selectFrom('user').select('id').where('avatarUrl', '=', p('path')).where('isGuest', '=', 0).limit(1),
)
const byLargeAvatar = query<{ path: string }>()((db, p) =>
  db.selectFrom('user').select('id').where('largeAvatarUrl', '=', p('path')).where('isGuest', '=', 0).limit(1),
)

/** Whether this is somebody's face now, by what `/uploads/` calls it. */
export function isFace(reader: Reader, path: string): boolean {
  return reader.get(byAvatar, { path }) !== undefined || reader.get(byLargeAvatar, { path }) !== undefined
}

/** Who holds this name, letters folded, or undefined. */
export function getHolder(reader: Reader, name: string): UserRow | undefined {
  return reader.get(userByFoldedName, { foldedName: foldName(name) })
}

/** A person and the session that speaks for them. */
export interface SignedIn {
  actor: Actor
  user: UserRow
  session: SessionRow
}

/** Who the rows say these claims speak for now; undefined once the session has ended. */
export function getSignedIn(reader: Reader, claimed: { userId: number; sessionId: number }): SignedIn | undefined {
  const session = reader.get(sessionById, { id: claimed.sessionId })
  if (!session || session.userId !== claimed.userId) return undefined
  const user = reader.get(userById, { id: session.userId })
  return user && { actor: { userId: user.id, sessionId: session.id, role: user.role }, user, session }
}

/** Whether somebody may take this name: nobody holds it, or a guest does who has been gone for long enough. */
export function isNameFree(holder: UserRow | undefined, isOnline: boolean, now: number): boolean {
  return !holder || (holder.isGuest === 1 && !isOnline && isGuestGone(holder.lastSeenAt, now))
}

/** A person as others see them. */
export function toPerson(row: UserRow, isOnline: boolean, now: number): Person {
  return { ...toFace(row, now), isOnline }
}

/** What somebody says of themselves; a guest says nothing. */
export function toAbout({ isGuest, age, city, bio, largeAvatarUrl }: UserRow): About {
  return { age, city, bio, largeAvatarUrl: isGuest === 1 ? null : largeAvatarUrl }
}

/** How somebody is shown. A guest always shows the default avatar (specification 1, point 1). */
export function toFace(row: UserRow, now: number): Face {
  const isGuest = row.isGuest === 1
  return {
    id: row.id,
    username: row.username,
    gender: row.gender,
    avatarUrl: isGuest ? null : row.avatarUrl,
    isGuest,
    role: row.role,
    premiumStatus: row.premiumUntil !== null && row.premiumUntil > now ? 'premium' : 'guest',
    lastLoginPlatform: row.lastLoginPlatform,
  }
}
