import { session } from '../accounts/session.ts'
import { replayMissed } from '../live/replay-missed.ts'
import { live } from '../live/state.ts'
import { loadPart } from '../load-part.ts'
import { roomConversations } from '../room-chat/state.ts'
import { roomSubscription } from '../rooms/state.ts'
import { effect } from '../signal.ts'
import { followRoomRemovals } from './message-removal.ts'
import { ownSanctions } from './own-sanctions.ts'

/** Follows the viewer's warnings and mutes, and removals in the shown room. */
export function start(): void {
  replayMissed(
    live,
    () => {
      ownSanctions.follow(live)
      followRoomRemovals({ live, conversations: roomConversations, viewerId: () => session.user?.id ?? null })
    },
    // Events are missing: the messages of the room come again. Own mutes come with the next connection.
    () => roomSubscription.rejoin(),
  )
  effect(() => {
    if (ownSanctions.warnings.value.length > 0) void loadPart(() => import('./warning-popup.tsx'))
  })
}
