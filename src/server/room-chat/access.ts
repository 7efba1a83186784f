import type { Role } from '../../shared/accounts/protocol.ts'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import type { Reader } from '../database/read.ts'
import { isRoomStaff } from '../rooms/queries.ts'

/** Whether the chat limits do not bind this person in the room: root admins, the room's owner and its admins. */
export function isExemptFromChatLimits(
  reader: Pick<Reader, 'get'>,
  { userId, role }: { userId: UserId; role: Role },
  room: { id: RoomId; ownerId: UserId | null },
): boolean {
  return role === 'rootadmin' || isRoomStaff(reader, userId, room)
}
