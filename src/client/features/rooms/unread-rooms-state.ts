import { live } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { effect } from '../../core/signals/signal.ts'
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
