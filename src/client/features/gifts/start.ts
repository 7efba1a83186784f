import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { live } from '../../core/live/state.ts'
import { loadPart } from '../../core/load-part.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

/** An older gift, which a replay brings, is only in the chat. */
const MAX_AGE_MS = 15_000

/** Shows the gifts of the room and those for the viewer as they come. */
export function start(): void {
  live.on('giftSent', show)
  live.on('giftReceived', (gift) => {
    show(gift)
    const { senderUsername, name, amount } = gift
    void toast(`${isolateBidi(senderUsername)} sana ${name} gönderdi. Kazancın: ${formatLira(amount)}`, 'success')
  })
}

function show(gift: EventPayload<'giftSent'> | EventPayload<'giftReceived'>): void {
  if (document.hidden || live.serverNow() - gift.createdAt > MAX_AGE_MS) return
  void loadPart(() => import('./gift-shower.tsx')).then(({ showGift }) => showGift(gift))
}
