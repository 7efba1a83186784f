import type { Person } from '../../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import { mediaRefusalText, writeRefusalText } from '../../../shared/rooms/rules.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { type UserRow, userById } from '../accounts/queries.ts'
import { findRestriction } from '../restrictions/queries.ts'
import { hasGrantedSession, hasRoomGrant } from './entry-queries.ts'
import { roomSeats } from './entry-services.ts'
import { isRoomStaff, type RoomRow, roomById, toRoom } from './queries.ts'

/**
 * The room if the user may enter it, else RoomNotFound, RoomBanned, RoomPasswordRequired or RoomFull. A user who is in a
 * full room already may stay, and its staff always get in.
 */
export function findEnterableRoom(
  appContext: AppContext,
  reader: Reader,
  viewer: Actor,
  roomId: RoomId,
): Room | Refusal {
  const room = findOpenRoom(appContext, reader, viewer, roomId)
  if (room instanceof Refusal) return room
  const isFull = appContext.service(roomSeats).isFull(roomId, viewer.userId, room.capacity)
  return isFull && !mayManageRoom(reader, viewer, room) ? refuse('RoomFull') : room
}

/** As `findEnterableRoom`, for a user who has a seat. */
export function findOpenRoom(
  appContext: Pick<AppContext, 'clock' | 'presence'>,
  reader: Pick<Reader, 'get'>,
  viewer: Actor,
  roomId: RoomId,
): Room | Refusal {
  const row = reader.get(roomById, { id: roomId })
  if (row?.isActive !== 1) return refuse('RoomNotFound')
  const closure = findClosure(reader, viewer, row, appContext.clock())
  return closure ?? toRoom(row, appContext.presence.roomCount(roomId, viewer))
}

/**
 * Takes a seat for a user who enters a room that is open to them (`findOpenRoom`): null when they have one or need none; else
 * RoomFull, or RegionCut where a room is near its capacity and the primary cannot be asked.
 */
export function takeSeat(
  appContext: AppContext,
  reader: Pick<Reader, 'get'>,
  viewer: Actor,
  room: Pick<Room, 'id' | 'ownerId' | 'capacity'>,
): Refusal | null | Promise<Refusal | null> {
  const seat = appContext.service(roomSeats).take(room.id, viewer.userId, room.capacity)
  return seat === null || !mayManageRoom(reader, viewer, room) ? seat : null
}

/**
 * Why a room's content is closed to the user: RoomNotFound, RoomBanned or RoomPasswordRequired; null where it is open.
 * Everything that reads a room's messages, files or users asks this, in the room or not.
 */
export function findContentRefusal(
  { clock }: Pick<AppContext, 'clock'>,
  reader: Pick<Reader, 'get'>,
  viewer: Actor,
  roomId: RoomId,
): Refusal | null {
  const room = reader.get(roomById, { id: roomId })
  return room?.isActive === 1 ? findClosure(reader, viewer, room, clock()) : refuse('RoomNotFound')
}

/** As `findContentRefusal`, of a room that was read: its bans and its password, neither of which binds its staff. */
function findClosure(
  reader: Pick<Reader, 'get'>,
  viewer: Actor,
  room: Pick<RoomRow, 'id' | 'ownerId' | 'passwordHash'>,
  now: number,
): Refusal | null {
  const ban = findRestriction(reader, { kind: 'roomBan', userId: viewer.userId, roomId: room.id }, now)
  const refusal = ban ?? findMissingPassword(reader, viewer, room)
  return refusal && !mayManageRoom(reader, viewer, room) ? refusal : null
}

function findMissingPassword(
  reader: Pick<Reader, 'get'>,
  { sessionId }: Actor,
  { id, passwordHash }: Pick<RoomRow, 'id' | 'passwordHash'>,
): Refusal | null {
  return passwordHash === null || hasRoomGrant(reader, id, sessionId) ? null : refuse('RoomPasswordRequired')
}

/**
 * Whether a user may be told of a room's content where no session is known, as by a mention: they are not banned, and one
 * of their sessions has the room's password.
 */
export function mayLearnOfRoom(
  reader: Pick<Reader, 'get'>,
  { id: userId, role }: Pick<UserRow, 'id' | 'role'>,
  room: Pick<RoomRow, 'id' | 'ownerId' | 'passwordHash'>,
  now: number,
): boolean {
  if (mayManageRoom(reader, { userId, role }, room)) return true
  if (findRestriction(reader, { kind: 'roomBan', userId, roomId: room.id }, now)) return false
  return room.passwordHash === null || hasGrantedSession(reader, room.id, userId)
}

/** As `mayLearnOfRoom`, by id; false for a room or user that does not exist. */
export function mayUserLearnOf(reader: Pick<Reader, 'get'>, userId: UserId, roomId: RoomId, now: number): boolean {
  const [user, room] = [reader.get(userById, { id: userId }), reader.get(roomById, { id: roomId })]
  return user !== undefined && room !== undefined && mayLearnOfRoom(reader, user, room, now)
}

/** Whether the actor is staff of the room: its owner, its admins and root admins. */
export function mayManageRoom(
  reader: Pick<Reader, 'get'>,
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  room: Pick<RoomRow, 'id' | 'ownerId'>,
): boolean {
  return role === 'rootadmin' || isRoomStaff(reader, userId, room)
}

/** An active room that the actor runs, else RoomNotFound or Forbidden. */
export function findManagedRoom(reader: Pick<Reader, 'get'>, actor: Actor, roomId: RoomId): RoomRow | Refusal {
  const room = reader.get(roomById, { id: roomId })
  if (room?.isActive !== 1) return refuse('RoomNotFound')
  return mayManageRoom(reader, actor, room) ? room : refuse('Forbidden')
}

/** An active room that the actor owns, or any for a root admin, else RoomNotFound or Forbidden. */
export function findOwnedRoom(reader: Pick<Reader, 'get'>, actor: Actor, roomId: RoomId): RoomRow | Refusal {
  const room = reader.get(roomById, { id: roomId })
  if (room?.isActive !== 1) return refuse('RoomNotFound')
  return actor.role === 'rootadmin' || room.ownerId === actor.userId ? room : refuse('Forbidden')
}

/** Why the room's message preference refuses the person, in Turkish; null where they may write. */
export function findWriteRefusal(
  reader: Pick<Reader, 'get'>,
  person: Pick<Person, 'id' | 'role' | 'isGuest' | 'premiumStatus'>,
  room: Pick<RoomRow, 'id' | 'ownerId' | 'messagePreference'>,
): string | null {
  const { messagePreference } = room
  if (messagePreference === 'everyone') return null
  return writeRefusalText(messagePreference, person, isRoomStaff(reader, person.id, room))
}

/** Why the room's media preference refuses the person, in Turkish; null where they may send files. */
export function findMediaRefusal(
  reader: Pick<Reader, 'get'>,
  person: Pick<Person, 'id' | 'role' | 'isGuest' | 'premiumStatus'>,
  room: Pick<RoomRow, 'id' | 'ownerId' | 'mediaPreference'>,
): string | null {
  const { mediaPreference } = room
  if (mediaPreference === 'everyone') return null
  return mediaRefusalText(mediaPreference, person, isRoomStaff(reader, person.id, room))
}
