import { type ReactNode, useEffect } from 'react'
import type { GiftId } from '../../../shared/protocol/ids.ts'
import { signal } from '../../core/signals/signal.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { mountPortal } from '../../core/ui/mount-portal.ts'
import { giftPictureUrl } from './gifts.ts'
import './gifts.lazy.css'

interface ShownGift {
  id: GiftId
  name: string
  drawing: string
  senderUsername: string
  recipientUsername: string
}

/** How long a gift is shown, alone and while others wait. */
const SHOW_MS = 3_200
const SHORT_SHOW_MS = 1_200
/** Further gifts are only in the chat. */
const MAX_WAITING = 10

const waiting = signal<readonly ShownGift[]>([])
const NOTHING: readonly ShownGift[] = []
let lastShownId = 0

/** Shows a gift above the chat for a moment, after those that came before it; each once. */
export function showGift(gift: ShownGift): void {
  const known = waiting.peek()
  if (gift.id === lastShownId || known.some(({ id }) => id === gift.id) || known.length >= MAX_WAITING) return
  lastShownId = gift.id
  waiting.value = [...known, gift]
}

function GiftShower(): ReactNode {
  const gifts = useSignalValue(waiting, NOTHING)
  const [gift] = gifts
  const isShort = gifts.length > 1
  useEffect(() => {
    if (!gift) return
    const timer = setTimeout(
      () => {
        waiting.value = waiting.peek().filter(({ id }) => id !== gift.id)
      },
      isShort ? SHORT_SHOW_MS : SHOW_MS,
    )
    return () => clearTimeout(timer)
  }, [gift, isShort])
  if (!gift) return null
  return (
    // The line in the chat and the toast say the same to screen readers.
    <div key={gift.id} className="gift-shower" aria-hidden="true">
      <img src={giftPictureUrl(gift)} alt="" width={96} height={96} />
      <p>
        <bdi>{gift.senderUsername}</bdi> → <bdi>{gift.recipientUsername}</bdi>
        <b>{gift.name}</b>
      </p>
    </div>
  )
}

mountPortal('gifts', <GiftShower />)
