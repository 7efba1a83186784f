import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { JOIN_WAIT_MS } from '../../../shared/room-chat/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'

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
