import type { MentionedUser, MentionSource } from '../conversation/composer/mention-source.ts'
import { live } from '../live/state.ts'
import { createRoomUserSearch } from '../rooms/room-user-search.ts'
import { signal } from '../signal.ts'

/** Who can be mentioned beside a post: those who have commented on it, and the people of the room that the viewer is in. */
export function createPostMentionSource(commenters: readonly MentionedUser[] = []): MentionSource {
  return {
    ...createRoomUserSearch(live, () => live.roomId),
    known: signal({ users: commenters, isComplete: false }),
  }
}
