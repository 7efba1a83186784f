import type { Person } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Room } from '../../shared/rooms/protocol.ts'
import { mediaRefusalText, writeRefusalText } from '../../shared/rooms/rules.ts'
import type { AppContext } from '../app-context.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transact.ts'
import { getRoom, isRoomStaff, type RoomRow, roomById } from './queries.ts'

/** The room if the user may enter it, else RoomNotFound or RoomFull. A user who is in a full room already may stay. */
export function findEnterableRoom(
  appContext: AppContext,
  reader: Reader,
  viewer: { userId: UserId },
  roomId: RoomId,
): Room | Refusal {
  const room = getRoom(reader, roomId, appContext.presence.roomCount(roomId))
  if (!room?.isActive) return refuse('RoomNotFound')
  const isFull = room.activeUsers >= room.capacity && !appContext.presence.isIn(roomId, viewer.userId)
  return isFull ? refuse('RoomFull') : room
}

/** Whether the actor runs the room: its owner, its admins and root admins. */
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
