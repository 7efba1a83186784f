import type { Role } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { JOIN_WAIT_MS } from '../../shared/room-chat/limits.ts'
import type { AppContext } from '../app-context.ts'
import type { Reader } from '../database/read.ts'
import { mayManageRoom } from '../rooms/access.ts'

/** Whether the user is exempt from the chat limits of the room: root admins, its owner and its admins. */
export function isExemptFromChatLimits(
  reader: Pick<Reader, 'get'>,
  { userId, role }: { userId: UserId; role: Role },
  room: { id: RoomId; ownerId: UserId | null },
): boolean {
  return mayManageRoom(reader, { userId, role }, room)
}

/**
 * The user's time in the room, in milliseconds, as the chat limits count it; null when they are not in the room. Both sides
 * compare it to the whole `JOIN_WAIT_MS`, so a shorter wait of the settings counts as time already spent there.
 */
export function roomTimeForChatLimits(
  { presence, settings }: Pick<AppContext, 'presence' | 'settings'>,
  roomId: RoomId,
  userId: UserId,
): number | null {
  const dwellMs = presence.roomDwellMs(roomId, userId)
  return dwellMs === null ? null : dwellMs + JOIN_WAIT_MS - settings.joinWaitMs
}
