import type { UserId } from '../../shared/protocol/ids.ts'
import type { LiveClient } from '../live/live-client.ts'

interface BlockListener {
  onBlocked?: (userId: UserId) => void
  onUnblocked?: (userId: UserId) => void
}

/**
 * Calls back when whoever looks blocks somebody, here or elsewhere, or lifts a block. Whoever is blocked hears of it, too:
 * for them nothing changes. Answers what ends it.
 */
export function listenForBlocks(live: LiveClient, { onBlocked, onUnblocked }: BlockListener): () => void {
  const ends = [
    live.on('userBlocked', ({ blockerId, blockedId }) => live.isSelf(blockerId) && onBlocked?.(blockedId)),
    live.on('userUnblocked', ({ blockerId, blockedId }) => live.isSelf(blockerId) && onUnblocked?.(blockedId)),
  ]
  return () => ends.forEach((end) => void end())
}
