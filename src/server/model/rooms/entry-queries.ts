import { sql } from 'kysely'
import type { BanReason } from '../../../shared/moderation/protocol.ts'
import type { RoomBanId, RoomId, SessionId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { ROOM_BANS_PER_PAGE, type RoomBan } from '../../../shared/room-access/ban-protocol.ts'
import { formatRoomBanNotice } from '../../../shared/room-access/rules.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import {
  type Fingerprint,
  type FingerprintParams,
  matchesFingerprint,
  toFingerprintParams,
} from '../fingerprints/queries.ts'
import { query } from '../schema/query.ts'

const grantOfSession = query<{ roomId: RoomId; sessionId: SessionId }>()((db, p) =>
  db.selectFrom('roomGrant').select('roomId').where('roomId', '=', p('roomId')).where('sessionId', '=', p('sessionId')),
)
const grantOfUser = query<{ roomId: RoomId; userId: UserId }>()((db, p) =>
  db
    .selectFrom('roomGrant')
    .select('roomId')
    .where('roomId', '=', p('roomId'))
    .where('userId', '=', p('userId'))
    .limit(1),
)

/** A ban is active while it is not lifted and its end is ahead by the site's clock. */
const whereBanIsActive = <T extends { now: number }>(p: <K extends keyof T & string>(name: K) => T[K]) =>
  sql<boolean>`roomBan.liftedAt is null and (roomBan.endsAt is null or roomBan.endsAt > ${p('now')})`

/** The only ban of a user in a room that is not lifted; it may have ended. */
const banOfUser = query<{ roomId: RoomId; userId: UserId }>()((db, p) =>
  db
    .selectFrom('roomBan')
    .select(['reason', 'endsAt'])
    .where('roomId', '=', p('roomId'))
    .where('userId', '=', p('userId'))
    .where('liftedAt', 'is', null),
)
const activeBansOfFingerprint = query<FingerprintParams & { now: number }>()((db, p) =>
  db
    .selectFrom('roomBanFingerprint')
    .innerJoin('roomBan', 'roomBan.id', 'roomBanFingerprint.banId')
    .selectAll('roomBan')
    .distinct()
    .where(matchesFingerprint(p, 'roomBanFingerprint', 'roomBan'))
    .where(whereBanIsActive(p)),
)
const activeBansOfName = query<{ roomId: RoomId; foldedName: string; now: number }>()((db, p) =>
  db
    .selectFrom('roomBan')
    .innerJoin('user', 'user.id', 'roomBan.userId')
    .select(['roomBan.id', 'roomBan.userId', 'roomBan.sourceId'])
    .where('roomBan.roomId', '=', p('roomId'))
    .where('user.foldedName', '=', p('foldedName'))
    .where(whereBanIsActive(p)),
)
const activeBansPage = query<{ roomId: RoomId; now: number; before: RoomBanId; limit: number }>()((db, p) =>
  db
    .selectFrom('roomBan')
    .innerJoin('user', 'user.id', 'roomBan.userId')
    .innerJoin('user as staff', 'staff.id', 'roomBan.bannedById')
    .select([
      'roomBan.id',
      'roomBan.roomId',
      'roomBan.userId',
      'user.username',
      'user.isGuest',
      'roomBan.duration',
      'roomBan.reason',
      'staff.username as bannedBy',
      'roomBan.at',
      'roomBan.endsAt',
    ])
    .where('roomBan.roomId', '=', p('roomId'))
    .where(whereBanIsActive(p))
    .where('roomBan.id', '<', p('before'))
    .orderBy('roomBan.id', 'desc')
    .limit(p('limit')),
)

/**
 * The refusal of a user who is banned from a room, else null. This is the only decision on room bans: those on a browser or
 * an address extend to each guest and new member who uses it (`extendRoomBansToAccount`).
 */
export function findRoomBan(reader: Pick<Reader, 'get'>, userId: UserId, roomId: RoomId, now: number): Refusal | null {
  const ban = reader.get(banOfUser, { roomId, userId })
  return ban && (ban.endsAt === null || ban.endsAt > now) ? toRoomBanRefusal(ban) : null
}

function toRoomBanRefusal({ reason, endsAt }: { reason: BanReason; endsAt: number | null }): Refusal {
  return refuse('RoomBanned', { message: formatRoomBanNotice({ banReason: reason, endsAt }) })
}

/** Whether the session has given the present password of the room. */
export function hasRoomGrant(reader: Pick<Reader, 'get'>, roomId: RoomId, sessionId: SessionId): boolean {
  return reader.get(grantOfSession, { roomId, sessionId }) !== undefined
}

/** Whether one of the user's sessions has given the present password of the room. */
export function hasGrantedSession(reader: Pick<Reader, 'get'>, roomId: RoomId, userId: UserId): boolean {
  return reader.get(grantOfUser, { roomId, userId }) !== undefined
}

/** The active room bans on this browser, or on this address for a session that began at `enteredAt`. */
export function listRoomBansOfFingerprint(
  reader: Pick<Reader, 'all'>,
  fingerprint: Fingerprint,
  enteredAt: number,
  now: number,
) {
  return reader.all(activeBansOfFingerprint, { ...toFingerprintParams(fingerprint, enteredAt), now })
}

/** The active bans from a room of all users who have or had this name. */
export function listRoomBansOfName(reader: Pick<Reader, 'all'>, roomId: RoomId, name: string, now: number) {
  return reader.all(activeBansOfName, { roomId, foldedName: foldName(name), now })
}

/** A page of a room's active bans, the latest first, with ids below `before`; `next` is null at the end. */
export function listRoomBans(
  reader: Pick<Reader, 'all'>,
  roomId: RoomId,
  now: number,
  before: RoomBanId = Number.MAX_SAFE_INTEGER,
): { bannedUsers: RoomBan[]; next: RoomBanId | null } {
  const rows = reader.all(activeBansPage, { roomId, now, before, limit: ROOM_BANS_PER_PAGE + 1 })
  const bannedUsers = rows
    .slice(0, ROOM_BANS_PER_PAGE)
    .map(({ isGuest, reason, ...row }): RoomBan => ({ ...row, isGuest: isGuest === 1, banReason: reason }))
  return { bannedUsers, next: rows.length > ROOM_BANS_PER_PAGE ? (bannedUsers.at(-1)?.id ?? null) : null }
}
