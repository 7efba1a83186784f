import { session } from '../accounts/session.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { effect } from '../signal.ts'
import { shownRoom } from './shown-room.ts'
import { UnreadRooms } from './unread-rooms.ts'

const unreadRooms = new UnreadRooms(browserEnvironment, live)

/** Rooms visited in this session with a new message since. */
export const unreadRoomIds = unreadRooms.roomIds

if (!import.meta.env.SSR) {
  effect(() => {
    const room = shownRoom.value
    if (room) unreadRooms.enterRoom(room.id)
  })
  session.onEnd(() => unreadRooms.clear())
}
