import { sql } from 'kysely'
import { BANS_PER_PAGE, type Ban, type BanKind } from '../../../shared/moderation/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import {
  type Fingerprint,
  type FingerprintParams,
  matchesFingerprint,
  toFingerprintParams,
} from '../fingerprints/queries.ts'
import { query } from '../schema/query.ts'

/** A ban is active while it is not lifted and its end is ahead by the site's clock. */
const whereBanIsActive = <T extends { now: number }>(p: <K extends keyof T & string>(name: K) => T[K]) =>
  sql<boolean>`ban.liftedAt is null and (ban.endsAt is null or ban.endsAt > ${p('now')})`

const activeBanOfUser = query<{ userId: UserId; kind: BanKind; now: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .selectAll()
    .where('ban.userId', '=', p('userId'))
    .where('ban.kind', '=', p('kind'))
    .where(whereBanIsActive(p))
    .orderBy('ban.id', 'desc')
    .limit(1),
)
const activeBansOfUser = query<{ userId: UserId; now: number }>()((db, p) =>
  db.selectFrom('ban').selectAll().where('ban.userId', '=', p('userId')).where(whereBanIsActive(p)).orderBy('ban.id'),
)
/** Users who still have the flag of a ghost ban although all of theirs have ended. */
const endedGhosts = query<{ now: number; limit: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select(['user.id', 'user.username'])
    .where('user.isGhost', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ban')
            .select('ban.id')
            .whereRef('ban.userId', '=', 'user.id')
            .where('ban.kind', '=', 'ghost')
            .where(whereBanIsActive(p)),
        ),
      ),
    )
    .orderBy('user.id')
    .limit(p('limit')),
)
const activeBanOfFingerprint = query<FingerprintParams & { kind: BanKind; now: number }>()((db, p) =>
  db
    .selectFrom('banFingerprint')
    .innerJoin('ban', 'ban.id', 'banFingerprint.banId')
    .selectAll('ban')
    .where(matchesFingerprint(p, 'banFingerprint', 'ban'))
    .where('ban.kind', '=', p('kind'))
    .where(whereBanIsActive(p))
    .orderBy('ban.id', 'desc')
    .limit(1),
)
const activeBansByFoldedName = query<{ foldedName: string; now: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .select(['ban.id', 'ban.userId', 'user.username'])
    .where('user.foldedName', '=', p('foldedName'))
    .where(whereBanIsActive(p)),
)
/** What a list of bans shows, with the banned user as `user` and who banned them as `admin`. */
export const BAN_COLUMNS = [
  'ban.id',
  'ban.kind',
  'ban.userId',
  'user.username',
  'user.isGuest',
  'ban.duration',
  'ban.reason',
  'admin.username as bannedBy',
  'ban.at',
  'ban.endsAt',
] as const
const activeBansPage = query<{ now: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('ban')
    .innerJoin('user', 'user.id', 'ban.userId')
    .innerJoin('user as admin', 'admin.id', 'ban.bannedById')
    .select(BAN_COLUMNS)
    .where(whereBanIsActive(p))
    .where('ban.id', '<', p('before'))
    .orderBy('ban.id', 'desc')
    .limit(p('limit')),
)

const anyGhostBan = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('ban').select('id').where('userId', '=', p('userId')).where('kind', '=', 'ghost').limit(1),
)
const shownMessage = query<{ roomId: RoomId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('message')
    .select('id')
    .where('senderId', '=', p('senderId'))
    .where('roomId', '=', p('roomId'))
    .where('audience', 'is', null)
    .limit(1),
)

const siteState = query()((db) => db.selectFrom('siteState').select('maintenanceSince'))

/** The latest active ban of an account from the site. */
export function getActiveBan(reader: Pick<Reader, 'get'>, userId: UserId, now: number) {
  return reader.get(activeBanOfUser, { userId, kind: 'site', now })
}

/** The latest active ghost ban of an account, by the clock. Everything but the ban itself asks the flag `user.isGhost`. */
export function getActiveGhostBan(reader: Pick<Reader, 'get'>, userId: UserId, now: number) {
  return reader.get(activeBanOfUser, { userId, kind: 'ghost', now })
}

/** Up to `limit` users whose ghost bans have all ended by the clock, and whose flag is still set. */
export function listEndedGhosts(reader: Pick<Reader, 'all'>, now: number, limit: number) {
  return reader.all(endedGhosts, { now, limit })
}

/** The active bans of an account of both kinds, the oldest first. */
export function listActiveBansOfUser(reader: Pick<Reader, 'all'>, userId: UserId, now: number) {
  return reader.all(activeBansOfUser, { userId, now })
}

/** The latest active ban from the site on this browser, or on this address for a session that began at `enteredAt`. */
export function getActiveBanOfFingerprint(
  reader: Pick<Reader, 'get'>,
  fingerprint: Fingerprint,
  enteredAt: number,
  now: number,
) {
  return reader.get(activeBanOfFingerprint, { ...toFingerprintParams(fingerprint, enteredAt), kind: 'site', now })
}

/** The same for ghost bans. */
export function getActiveGhostBanOfFingerprint(
  reader: Pick<Reader, 'get'>,
  fingerprint: Fingerprint,
  enteredAt: number,
  now: number,
) {
  return reader.get(activeBanOfFingerprint, { ...toFingerprintParams(fingerprint, enteredAt), kind: 'ghost', now })
}

/** The active bans of all users who have or had this name, compared by its folded form. */
export function listActiveBansOfName(reader: Pick<Reader, 'all'>, name: string, now: number) {
  return reader.all(activeBansByFoldedName, { foldedName: foldName(name), now })
}

/** A page of active bans, newest first, with ids below `before`; `next` is null at the end. */
export function listActiveBans(
  reader: Pick<Reader, 'all'>,
  now: number,
  before: number = Number.MAX_SAFE_INTEGER,
): { bannedUsers: Ban[]; next: number | null } {
  const rows = reader.all(activeBansPage, { now, before, limit: BANS_PER_PAGE + 1 })
  const bannedUsers = rows
    .slice(0, BANS_PER_PAGE)
    .map(({ isGuest, reason, ...row }): Ban => ({ ...row, isGuest: isGuest === 1, banReason: reason }))
  return { bannedUsers, next: rows.length > BANS_PER_PAGE ? (bannedUsers.at(-1)?.id ?? null) : null }
}

/** Whether a user is or was ghost-banned, so that some of their messages may be hidden. */
export function hasBeenGhost(reader: Pick<Reader, 'get'>, userId: UserId): boolean {
  return reader.get(anyGhostBan, { userId }) !== undefined
}

/** Whether a sender has a message in a room that was not written as a ghost. */
export function hasShownMessage(reader: Pick<Reader, 'get'>, roomId: RoomId, senderId: UserId): boolean {
  return reader.get(shownMessage, { roomId, senderId }) !== undefined
}

/** When maintenance began, in epoch milliseconds; null when it is off. */
export function getMaintenanceSince(reader: Pick<Reader, 'get'>): number | null {
  return reader.get(siteState)?.maintenanceSince ?? null
}
