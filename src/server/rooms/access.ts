import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Room } from '../../shared/rooms/protocol.ts'
import type { AppContext } from '../app-context.ts'
import type { Reader } from '../database/read.ts'
import { getRoom } from './queries.ts'

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
