import type { RoomId } from '../../shared/protocol/ids.ts'
import type { MentionSource } from '../conversation/composer/mention-source.ts'
import { live } from '../live/state.ts'
import { fetchRoomUsers } from '../rooms/room-users.ts'
import { roomUsers } from '../rooms/room-users-state.ts'
import { showMentionToasts } from './mention-toasts.ts'

showMentionToasts()

/** The people of a room, who can be mentioned in it. */
export function createRoomMentionSource(roomId: RoomId): MentionSource {
  return {
    known: roomUsers,
    search: async (query) => (await fetchRoomUsers(live, { roomId, search: query }))?.users ?? null,
    onChange: (listener) => {
      const ends = [
        live.on('user-left', ({ username }) => listener((found) => found.filter((user) => user.username !== username))),
        live.on('userUpdated', ({ user }) =>
          listener((found) => found.map((one) => (one.id === user.id ? user : one))),
        ),
      ]
      return () => ends.forEach((end) => void end())
    },
  }
}
