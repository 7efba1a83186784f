import { live } from '../../../core/live/state.ts'
import { signal } from '../../../core/signals/signal.ts'
import type { MentionedUser, MentionSource } from '../../../model/conversation/composer/mention-source.ts'
import { createRoomUserSearch } from '../../../model/rooms/room-user-search.ts'

/** Who can be mentioned beside a post: those who have commented on it, and the people of the room that the viewer is in. */
export function createPostMentionSource(commenters: readonly MentionedUser[] = []): MentionSource {
  return {
    ...createRoomUserSearch(live, () => live.roomId),
    known: signal({ users: commenters, isComplete: false }),
  }
}
