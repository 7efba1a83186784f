import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { MentionSource } from '../conversation/composer/mention-source.ts'
import { fetchRoomUsers } from './room-users.ts'

/** Finds people of a room for mentions. `getRoomId` returns the room at the time of a search; null without one. */
export function createRoomUserSearch(
  live: LiveClient,
  getRoomId: () => RoomId | null,
): Pick<MentionSource, 'search' | 'onChange'> {
  return {
    search: async (query) => {
      const roomId = getRoomId()
      return roomId === null ? [] : ((await fetchRoomUsers(live, { roomId, search: query }))?.users ?? null)
    },
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
