import { sql } from 'kysely'
import type { MessageId, MuteId, RoomId, UserId, WarningId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_OWN_MUTES, MUTES_PER_PAGE } from '../../../shared/sanctions/limits.ts'
import type { MessageType, Mute, OwnMute, Warning } from '../../../shared/sanctions/protocol.ts'
import { formatMuteNotice } from '../../../shared/sanctions/texts.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import {
  type Fingerprint,
  type FingerprintParams,
  matchesFingerprint,
  toFingerprintParams,
} from '../fingerprints/queries.ts'
import { isRoomStaff, roomById } from '../rooms/queries.ts'
import { query } from '../schema/query.ts'

/** A mute is active while it is not lifted and its end is ahead by the site's clock. */
const whereMuteIsActive = <T extends { now: number }>(p: <K extends keyof T & string>(name: K) => T[K]) =>
  sql<boolean>`mute.liftedAt is null and (mute.endsAt is null or mute.endsAt > ${p('now')})`

/** The mute of a user on the site or in a room that ends last; it may have ended. A room of 0 is none. */
const lastMuteOf = query<{ userId: UserId; roomId: RoomId }>()((db, p) =>
  db
    .selectFrom('mute')
    .select(['roomId', 'reason', 'endsAt'])
    .where('userId', '=', p('userId'))
    .where('liftedAt', 'is', null)
    .where((eb) => eb.or([eb('roomId', 'is', null), eb('roomId', '=', p('roomId'))]))
    // An indefinite one first, then one of the site.
    .orderBy(sql`endsAt is null`, 'desc')
    .orderBy('endsAt', 'desc')
    .orderBy(sql`roomId is null`, 'desc')
    .limit(1),
)
const activeMutesOfUser = query<{ userId: UserId; now: number; limit: number }>()((db, p) =>
  db
    .selectFrom('mute')
    .selectAll()
    .where('mute.userId', '=', p('userId'))
    .where(whereMuteIsActive(p))
    // That of the site first.
    .orderBy(sql`roomId is null`, 'desc')
    .orderBy('mute.id', 'desc')
    .limit(p('limit')),
)
const activeMutesOfFingerprint = query<FingerprintParams & { now: number }>()((db, p) =>
  db
    .selectFrom('muteFingerprint')
    .innerJoin('mute', 'mute.id', 'muteFingerprint.muteId')
    .selectAll('mute')
    .distinct()
    .where(matchesFingerprint(p, 'muteFingerprint', 'mute'))
    .where(whereMuteIsActive(p)),
)
const mutedHoldersOfName = query<{ foldedName: string; now: number }>()((db, p) =>
  db
    .selectFrom('mute')
    .innerJoin('user', 'user.id', 'mute.userId')
    .select(['mute.userId', 'mute.roomId'])
    .where('user.foldedName', '=', p('foldedName'))
    .where(whereMuteIsActive(p)),
)
const muteColumns = [
  'mute.id',
  'mute.userId',
  'user.username',
  'user.isGuest',
  'mute.roomId',
  'room.name as roomName',
  'mute.duration',
  'mute.reason',
  'staff.username as mutedBy',
  'mute.at',
  'mute.endsAt',
] as const
const muteById = query<{ id: MuteId }>()((db, p) =>
  db
    .selectFrom('mute')
    .innerJoin('user', 'user.id', 'mute.userId')
    .innerJoin('user as staff', 'staff.id', 'mute.mutedById')
    .leftJoin('room', 'room.id', 'mute.roomId')
    .select(muteColumns)
    .where('mute.id', '=', p('id')),
)
const activeMutesPage = query<{ now: number; before: MuteId; limit: number }>()((db, p) =>
  db
    .selectFrom('mute')
    .innerJoin('user', 'user.id', 'mute.userId')
    .innerJoin('user as staff', 'staff.id', 'mute.mutedById')
    .leftJoin('room', 'room.id', 'mute.roomId')
    .select(muteColumns)
    .where(whereMuteIsActive(p))
    .where('mute.id', '<', p('before'))
    .orderBy('mute.id', 'desc')
    .limit(p('limit')),
)
const activeMutesOfRoomPage = query<{ roomId: RoomId; now: number; before: MuteId; limit: number }>()((db, p) =>
  db
    .selectFrom('mute')
    .innerJoin('user', 'user.id', 'mute.userId')
    .innerJoin('user as staff', 'staff.id', 'mute.mutedById')
    .leftJoin('room', 'room.id', 'mute.roomId')
    .select(muteColumns)
    .where('mute.roomId', '=', p('roomId'))
    .where(whereMuteIsActive(p))
    .where('mute.id', '<', p('before'))
    .orderBy('mute.id', 'desc')
    .limit(p('limit')),
)
const openWarnings = query<{ userId: UserId }>()((db, p) =>
  db
    .selectFrom('warning')
    .select(['id', 'text', 'at'])
    .where('userId', '=', p('userId'))
    .where('confirmedAt', 'is', null)
    .where('withdrawnAt', 'is', null)
    .orderBy('id'),
)
/** A warning of a user, open or not. */
export const warningById = query<{ id: WarningId }>()((db, p) =>
  db.selectFrom('warning').selectAll().where('id', '=', p('id')),
)
/** What a removed message had. */
export const removedMessageById = query<{ type: MessageType; messageId: MessageId }>()((db, p) =>
  db.selectFrom('removedMessage').selectAll().where('type', '=', p('type')).where('messageId', '=', p('messageId')),
)
const removedRoomMessage = query<{ id: MessageId }>()((db, p) =>
  db
    .selectFrom('removedMessage')
    .innerJoin('user', 'user.id', 'removedMessage.removedById')
    .leftJoin('roomMedia', 'roomMedia.id', 'removedMessage.mediaId')
    .select(['removedMessage.content', 'roomMedia.mediaType', 'user.username as removedBy', 'removedMessage.removedAt'])
    .where('removedMessage.type', '=', 'roomMessage')
    .where('removedMessage.messageId', '=', p('id')),
)
const removedFileOfPath = (type: MessageType, media: 'roomMedia' | 'directMedia') =>
  query<{ path: string }>()((db, p) =>
    db
      // Both tables have these columns.
      .selectFrom(media as 'roomMedia')
      .innerJoin('removedMessage', 'removedMessage.mediaId', `${media as 'roomMedia'}.id`)
      .select('removedMessage.messageId')
      .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
      .where('removedMessage.type', '=', type)
      .limit(1),
  )
const removedRoomFile = removedFileOfPath('roomMessage', 'roomMedia')
const removedDirectFile = removedFileOfPath('directMessage', 'directMedia')

/** The refusal of a user who is muted on the site or in this room (null: only on the site), else null. */
export function findMute(
  reader: Pick<Reader, 'get'>,
  userId: UserId,
  roomId: RoomId | null,
  now: number,
): Refusal | null {
  const mute = reader.get(lastMuteOf, { userId, roomId: roomId ?? 0 })
  return mute && (mute.endsAt === null || mute.endsAt > now) ? toMuteRefusal(mute) : null
}

function toMuteRefusal(mute: OwnMute): Refusal {
  return refuse('Muted', { message: formatMuteNotice(mute) })
}

/** The active mutes of an account with all their columns, that of the site first. */
export function listActiveMutes(
  reader: Pick<Reader, 'all'>,
  userId: UserId,
  now: number,
  limit: number = Number.MAX_SAFE_INTEGER,
) {
  return reader.all(activeMutesOfUser, { userId, now, limit })
}

/** Whether a root admin has muted the account in this room. */
export function isMutedByRootAdmin(
  reader: Pick<Reader, 'all' | 'get'>,
  userId: UserId,
  roomId: RoomId,
  now: number,
): boolean {
  const mute = listActiveMutes(reader, userId, now).find((one) => one.roomId === roomId)
  return mute !== undefined && reader.get(userById, { id: mute.mutedById })?.role === 'rootadmin'
}

/** The active mutes on this browser, or on this address for a session that began at `enteredAt`. */
export function listMutesOfFingerprint(
  reader: Pick<Reader, 'all'>,
  fingerprint: Fingerprint,
  enteredAt: number,
  now: number,
) {
  return reader.all(activeMutesOfFingerprint, { ...toFingerprintParams(fingerprint, enteredAt), now })
}

/** Where a user is muted, as far as the viewer may lift it; no field where that is nowhere. */
export function mutedPlaces(
  reader: Pick<Reader, 'all' | 'get'>,
  viewer: Pick<Actor, 'userId' | 'role'>,
  userId: UserId,
  now: number,
): { mutedIn?: (RoomId | null)[] } {
  const places = listActiveMutes(reader, userId, now, MAX_OWN_MUTES).map(({ roomId }) => roomId)
  const mutedIn = places.filter((roomId) => viewer.role === 'rootadmin' || isStaffOf(reader, viewer.userId, roomId))
  return mutedIn.length > 0 ? { mutedIn } : {}
}

export function isStaffOf(reader: Pick<Reader, 'get'>, userId: UserId, roomId: RoomId | null): boolean {
  const room = roomId === null ? undefined : reader.get(roomById, { id: roomId })
  return room !== undefined && isRoomStaff(reader, userId, room)
}

/** The users who have or had this name and are muted on the site (null) or in the room. */
export function listMutedOfName(
  reader: Pick<Reader, 'all'>,
  name: string,
  roomId: RoomId | null,
  now: number,
): UserId[] {
  const rows = reader.all(mutedHoldersOfName, { foldedName: foldName(name), now })
  return [...new Set(rows.filter((row) => row.roomId === roomId).map(({ userId }) => userId))]
}

/** A mute as moderators see it. */
export function getMute(reader: Pick<Reader, 'get'>, id: MuteId): Mute | undefined {
  const row = reader.get(muteById, { id })
  return row && toMute(row)
}

/** A page of active mutes of all places (null) or of a room, newest first; `next` is null at the end. */
export function listMutes(
  reader: Pick<Reader, 'all'>,
  {
    roomId,
    now,
    before = Number.MAX_SAFE_INTEGER,
  }: { roomId: RoomId | null; now: number; before?: number | undefined },
): { mutedUsers: Mute[]; next: MuteId | null } {
  const page = { now, before, limit: MUTES_PER_PAGE + 1 }
  const rows =
    roomId === null ? reader.all(activeMutesPage, page) : reader.all(activeMutesOfRoomPage, { ...page, roomId })
  const mutedUsers = rows.slice(0, MUTES_PER_PAGE).map(toMute)
  return { mutedUsers, next: rows.length > MUTES_PER_PAGE ? (mutedUsers.at(-1)?.id ?? null) : null }
}

/** What a user has to know of their own sanctions when a connection opens; null when there are none. */
export function getOwnSanctions(
  reader: Pick<Reader, 'all'>,
  userId: UserId,
  now: number,
): { warnings: Warning[]; mutes: OwnMute[] } | null {
  const warnings = listOpenWarnings(reader, userId)
  const mutes = listActiveMutes(reader, userId, now, MAX_OWN_MUTES).map(toOwnMute)
  return warnings.length + mutes.length === 0 ? null : { warnings, mutes }
}

/** The warnings that the user has not confirmed, the oldest first; `MAX_OPEN_WARNINGS` at most. */
export function listOpenWarnings(reader: Pick<Reader, 'all'>, userId: UserId): Warning[] {
  return reader.all(openWarnings, { userId })
}

/** A mute as the muted person gets it. */
export function toOwnMute({ roomId, reason, endsAt }: OwnMute): OwnMute {
  return { roomId, reason, endsAt }
}

/** What a removed message of a room said and who removed it; undefined when that is not kept any more. */
export function findRemovedRoomMessage(reader: Pick<Reader, 'get'>, id: MessageId) {
  return reader.get(removedRoomMessage, { id })
}

/** Whether the file with this name below `/uploads/` belongs to a removed message whose text is still kept. */
export function isFileOfRemovedMessage(reader: Pick<Reader, 'get'>, path: string): boolean {
  return reader.get(removedRoomFile, { path }) !== undefined || reader.get(removedDirectFile, { path }) !== undefined
}

function toMute({ isGuest, ...row }: Omit<Mute, 'isGuest'> & { isGuest: Flag }): Mute {
  return { ...row, isGuest: isGuest === 1 }
}
