import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { DEFAULT_ROOM_ID } from '../../../shared/room-chat/limits.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { RoomSubscription } from '../../model/rooms/room-subscription.ts'

interface RoomClosureDeps {
  live: LiveClient
  roomSubscription: RoomSubscription
  shownRoomId: () => RoomId | null
  isSelf: (userId: UserId) => boolean
  /** Tells of a ban from the shown room, and then leads to `next`. */
  showNotice: (message: string, next: string) => void
  toast: (message: string) => void
  navigateTo: (path: string) => void
}

/** Leads the viewer out of a room that is closed to them: by a ban with an alert, by a password to the form that asks for it. */
export function watchRoomClosure({
  live,
  roomSubscription,
  shownRoomId,
  isSelf,
  showNotice,
  toast,
  navigateTo,
}: RoomClosureDeps) {
  live.on('bannedNotification', ({ roomId, roomName, message }: EventPayload<'bannedNotification'>) => {
    if (roomId === shownRoomId()) showNotice(message, pathAfterBan(roomId))
    else toast(`#${roomName}: ${message}`)
  })
  live.on('roomAdminRemoved', ({ roomId, userId }) => {
    // Without the password, which admins need not, the server has taken this tab out of the room.
    if (isSelf(userId) && roomId === shownRoomId()) roomSubscription.rejoin()
  })
  roomSubscription.addListener({
    onJoinRefused: ({ code, message }) => {
      const roomId = shownRoomId()
      if (roomId === null) return
      if (code === 'RoomPasswordRequired') navigateTo(`/room/${roomId}`)
      if (code === 'RoomBanned') showNotice(message, pathAfterBan(roomId))
    },
  })
}

/** Room 1, or the landing page for those who are banned from room 1. */
function pathAfterBan(roomId: RoomId): string {
  return roomId === DEFAULT_ROOM_ID ? '/' : `/room/${DEFAULT_ROOM_ID}`
}
