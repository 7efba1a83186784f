import { session } from '../accounts/session.ts'
import { live } from '../live/state.ts'
import { roomConversations } from '../room-chat/state.ts'
import { fetchRoom } from '../rooms/fetch-room.ts'
import { roomSubscription } from '../rooms/state.ts'
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
