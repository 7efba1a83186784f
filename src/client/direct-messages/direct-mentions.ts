import type { RecipientInfo } from '../../shared/direct-messages/message.ts'
import type { MentionSource } from '../conversation/composer/mention-source.ts'
import type { LiveClient } from '../live/live-client.ts'
import { createRoomUserSearch } from '../rooms/room-user-search.ts'
import { computed, type ReadonlySignal } from '../signal.ts'

/** Who can be mentioned in a conversation: its other user, and the people of the room that the viewer is in. */
export function createDirectMentionSource(
  live: LiveClient,
  recipient: ReadonlySignal<RecipientInfo | null>,
): MentionSource {
  return {
    ...createRoomUserSearch(live, () => live.roomId),
    known: computed(() => ({ users: recipient.value ? [recipient.value] : [], isComplete: false })),
  }
}
