import type { Role } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import type { Reader } from '../database/read.ts'
import { isRoomStaff } from '../rooms/queries.ts'

/** Whether the user is exempt from the chat limits of the room: root admins, its owner and its admins. */
export function isExemptFromChatLimits(
  reader: Pick<Reader, 'get'>,
  { userId, role }: { userId: UserId; role: Role },
  room: { id: RoomId; ownerId: UserId | null },
): boolean {
  return role === 'rootadmin' || isRoomStaff(reader, userId, room)
}
