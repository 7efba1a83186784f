import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { JOIN_WAIT_MS } from '../../../shared/room-chat/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Connection } from '../../kernel/live/connection.ts'
import type { Viewer } from '../../kernel/live/visibility.ts'
import { findContentRefusal } from '../rooms/access.ts'

/**
 * The user's time in the room, in milliseconds, as the chat limits count it; null when they are not in the room. Both sides
 * compare it to the whole `JOIN_WAIT_MS`, so a shorter wait of the settings counts as time already spent there.
 */
export function roomTimeForChatLimits(
  { presence, config }: Pick<AppContext, 'presence' | 'config'>,
  roomId: RoomId,
  userId: UserId,
): number | null {
  const dwellMs = presence.roomDwellMs(roomId, userId)
  return dwellMs === null ? null : dwellMs + JOIN_WAIT_MS - config.joinWaitMs
}

const NOT_IN_ROOM_TEXT = 'Mesajları görmek için önce odaya girmelisin.'

/**
 * The viewer, if the connection is in the room and its content is open to them: somebody who was in it when its password
 * was set needs that to read back. Refuses with NotInRoom, or as `findContentRefusal`.
 */
export function findRoomReader(appContext: AppContext, { state }: Connection, roomId: RoomId): Viewer | Refusal {
  if (state.name !== 'open') return refuse('NotSignedIn')
  if (state.roomId !== roomId) return refuse('NotInRoom', { message: NOT_IN_ROOM_TEXT })
  const { viewer } = state.identity
  return findContentRefusal(appContext, appContext.reader, viewer, roomId) ?? viewer
}
