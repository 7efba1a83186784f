import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Room } from '../../shared/rooms/protocol.ts'
import type { AppContext } from '../app-context.ts'
import type { Reader } from '../database/read.ts'
import { getRoom } from './queries.ts'

/** The room that this person may enter now, or why not. Whoever is in it already may stay. */
export function findEnterableRoom(
  appContext: AppContext,
  reader: Reader,
  person: { userId: UserId },
  roomId: RoomId,
): Room | Refusal {
  const room = getRoom(reader, roomId, appContext.presence.roomCount(roomId))
  if (!room?.isActive) return refuse('RoomNotFound')
  const isFull = room.activeUsers >= room.capacity && !appContext.presence.isIn(roomId, person.userId)
  return isFull ? refuse('RoomFull') : room
}
