import type { ProfileGifts, ReceivedGift } from '../../../shared/gifts/protocol.ts'
import type { GiftId, GiftKindId } from '../../../shared/protocol/ids.ts'

interface Arrived {
  id: GiftId
  giftKindId: GiftKindId
  name: string
  drawing: string
}

/** The counts of a profile with the gifts that arrived after it was read; new kinds come last. */
export function addGifts({ received, latestId }: ProfileGifts, arrived: readonly Arrived[]): readonly ReceivedGift[] {
  const counts = new Map(received.map((gift) => [gift.id, gift]))
  for (const { id, giftKindId, name, drawing } of arrived) {
    if (id <= latestId) continue
    const known = counts.get(giftKindId)
    counts.set(giftKindId, { id: giftKindId, name, drawing, count: (known?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}
