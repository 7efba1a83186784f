import { SEND_GIFT_LABEL } from '../../../shared/gifts/rules.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { live } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { openGiftPicker } from './open-gift-picker.ts'

export const feature: ClientFeature = {
  start,
  personMenuEntries: [
    {
      order: 18,
      label: SEND_GIFT_LABEL,
      isAvailable: ({ id, isGuest, status }) =>
        !isGuest && !session.isSelf(id) && !status?.hasBlockedProfile && !status?.isBlockedByProfile,
      run: openGiftPicker,
    },
  ],
  profileSections: [
    {
      order: 15,
      isShown: ({ gifts, status }) => gifts !== undefined && !status.hasBlockedProfile && !status.isBlockedByProfile,
      load: async () => ({ component: (await import('./received-gifts.tsx')).ReceivedGifts }),
    },
  ],
  optionSections: [
    {
      order: 70,
      title: 'Hediyeler',
      hint: 'Kalan pay sitenin geliridir. Verilmiş hediyeler değişmez.',
      load: async () => ({ component: (await import('./gift-options-section.tsx')).GiftOptionsSection }),
    },
  ],
}

/** An older gift, which a replay brings, is only in the chat. */
const MAX_AGE_MS = 15_000

/** Shows the gifts of the room and those for the viewer as they come. */
function start(): void {
  live.on('giftSent', show)
  live.on('giftReceived', (gift) => {
    show(gift)
    const { senderUsername, name, amount } = gift
    void toast(`${isolateBidi(senderUsername)} sana ${name} gönderdi. Kazancın: ${formatLira(amount)}`, 'success')
  })
}

function show(gift: EventPayload<'giftSent'> | EventPayload<'giftReceived'>): void {
  if (document.hidden || live.serverNow() - gift.createdAt > MAX_AGE_MS) return
  void loadLazy(() => import('./gift-shower.tsx')).then(({ showGift }) => showGift(gift))
}
