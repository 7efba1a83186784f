import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { fetchRoom } from '../../model/rooms/fetch-room.ts'
import { roomSubscription } from '../../model/rooms/state.ts'
import { RoomStaff } from './room-staff.ts'

/** The staff of the shown room. */
export const shownRoomStaff = new RoomStaff({
  live,
  roomSubscription,
  conversations: roomConversations,
  isRootAdmin: () => session.isRootAdmin(),
  fetchAdmins: (roomId) =>
    fetchRoom(roomId).then(
      ({ room }) => room.Admins.map(({ id }) => id),
      () => null,
    ),
})
