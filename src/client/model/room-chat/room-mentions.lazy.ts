import type { RoomId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import type { MentionSource } from '../conversation/composer/mention-source.ts'
import { createRoomUserSearch } from '../rooms/room-user-search.ts'
import { roomUsers } from '../rooms/room-users-state.ts'

/** The people of a room, who can be mentioned in it. */
export function createRoomMentionSource(roomId: RoomId): MentionSource {
  return { ...createRoomUserSearch(live, () => roomId), known: roomUsers }
}
