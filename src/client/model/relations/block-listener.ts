import type { UserId } from '../../../shared/protocol/ids.ts'
import type { LiveClient } from '../../core/live/live-client.ts'

interface BlockListener {
  onBlocked?: (userId: UserId) => void
  onUnblocked?: (userId: UserId) => void
}

/**
 * Calls back when the viewer blocks or unblocks somebody, in any tab. Events in which the viewer is the blocked user are
 * ignored: nothing changes for them. Returns a function that stops listening.
 */
export function listenForBlocks(live: LiveClient, { onBlocked, onUnblocked }: BlockListener): () => void {
  const unsubscribers = [
    live.on('userBlocked', ({ blockerId, blockedId }) => live.isSelf(blockerId) && onBlocked?.(blockedId)),
    live.on('userUnblocked', ({ blockerId, blockedId }) => live.isSelf(blockerId) && onUnblocked?.(blockedId)),
  ]
  return () => unsubscribers.forEach((unsubscribe) => void unsubscribe())
}
