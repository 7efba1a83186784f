import type { RecipientInfo } from '../../../shared/direct-messages/message.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import { computed, type ReadonlySignal } from '../../core/signals/signal.ts'
import type { MentionSource } from '../../model/conversation/composer/mention-source.ts'
import { createRoomUserSearch } from '../../model/rooms/room-user-search.ts'

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
