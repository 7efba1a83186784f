import { session } from '../accounts/session.ts'
import { replayMissed } from '../live/replay-missed.ts'
import { live } from '../live/state.ts'
import { loadPart } from '../load-part.ts'
import { roomConversations } from '../room-chat/state.ts'
import { roomSubscription } from '../rooms/state.ts'
import { effect } from '../signal.ts'
import { removeFrom, restoreIn } from './message-removal.ts'
import { ownSanctions } from './own-sanctions.ts'

/** Follows the viewer's warnings and mutes, and removals in the shown room. */
export function start(): void {
  replayMissed(
    live,
    () => {
      ownSanctions.follow(live)
      followRemovals()
    },
    // Events are missing: the messages of the room come again. Own mutes come with the next connection.
    () => roomSubscription.rejoin(),
  )
  effect(() => {
    if (ownSanctions.warnings.value.length > 0) void loadPart(() => import('./warning-popup.tsx'))
  })
}

function followRemovals(): void {
  live.on('messageRemoved', ({ roomId, id }) => {
    const { current } = roomConversations
    if (current?.roomId === roomId) removeFrom(current, id)
  })
  live.on('messageRestored', (message) => {
    const { current } = roomConversations
    if (current?.roomId === message.roomId && session.user) restoreIn(current, message, session.user.id)
  })
}
