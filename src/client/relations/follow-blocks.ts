import type { Live } from '../live/live.ts'

interface Followed {
  blocked?: (userId: number) => void
  unblocked?: (userId: number) => void
}

/**
 * Calls back when whoever looks blocks somebody, here or elsewhere, or lifts a block. Whoever is blocked hears of it, too:
 * for them nothing changes. Answers what ends it.
 */
export function followBlocks(live: Live, { blocked, unblocked }: Followed): () => void {
  const ends = [
    live.on('userBlocked', ({ blockerId, blockedId }) => live.isOf(blockerId) && blocked?.(blockedId)),
    live.on('userUnblocked', ({ blockerId, blockedId }) => live.isOf(blockerId) && unblocked?.(blockedId)),
  ]
  return () => ends.forEach((end) => void end())
}
