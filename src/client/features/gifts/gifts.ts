import type { GiftKind } from '../../../shared/gifts/protocol.ts'
import { live } from '../../core/live/state.ts'
import { LiveValue } from '../../model/wallet/live-value.ts'
import { OptionStore } from '../../model/wallet/option-store.ts'
import { fetchOptions } from '../../model/wallet/options.ts'

const byPrice = (a: GiftKind, b: GiftKind) => a.price - b.price || a.id - b.id

/** The gifts that can be given, the cheapest first. */
export const giftKinds = new OptionStore<GiftKind>({
  fetchOptions: () => fetchOptions<'gifts'>('/gifts'),
  compare: byPrice,
  isListed: ({ status }) => status === 'active',
})
/** The same with inactive ones, for root admins. */
export const allGiftKinds = new OptionStore<GiftKind>({
  fetchOptions: () => fetchOptions<'allGifts'>('/root-admin/gifts', 'admin'),
  compare: byPrice,
})
/** The recipients' part of a price in percent, for root admins; null before the first load. */
export const giftShare = new LiveValue<{ sharePercent: number } | null>(null, () =>
  fetchOptions<'giftShare'>('/root-admin/gift-share', 'admin'),
)

live.on('giftKindUpdated', (gift) => {
  giftKinds.put(gift)
  allGiftKinds.put(gift)
})
live.on('giftShareUpdated', (share) => giftShare.update(() => share))

/** Files of the build by their drawing: the hash in the address lets browsers keep them for good. */
const pictureUrls = import.meta.glob<string>('../../core/art/gifts/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The picture of a gift; at the fixed address for a drawing that a newer build has added. */
export function giftPictureUrl({ drawing }: { drawing: string }): string {
  return pictureUrls[`../../core/art/gifts/${drawing}.svg`] ?? `/drawings/gifts/${drawing}.svg`
}
