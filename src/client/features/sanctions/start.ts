import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { session } from '../../core/session/session.ts'
import { effect } from '../../core/signals/signal.ts'
import { watchRoomRemovals } from '../../model/room-chat/message-removal.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { roomSubscription } from '../../model/rooms/state.ts'
import { ownSanctions } from '../../model/sanctions/own-sanctions.ts'

/** Follows the viewer's warnings and mutes, and removals in the shown room. */
export function start(): void {
  replayMissed(
    live,
    () => {
      ownSanctions.follow(live)
      watchRoomRemovals({ live, conversations: roomConversations, viewerId: () => session.user?.id ?? null })
    },
    // Events are missing: the messages of the room come again. Own mutes come with the next connection.
    () => roomSubscription.rejoin(),
  )
  effect(() => {
    if (ownSanctions.warnings.value.length > 0) void loadLazy(() => import('./warning-popup.tsx'))
  })
}
