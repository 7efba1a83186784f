import { type ReactNode, useEffect, useState } from 'react'
import type { ProfileGifts, ReceivedGift } from '../../../shared/gifts/protocol.ts'
import { SEND_GIFT_LABEL } from '../../../shared/gifts/rules.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { GiftId, GiftKindId, UserId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import type { ProfileSectionProps } from '../../model/profiles/profile-section.ts'
import { giftPictureUrl } from './gifts.ts'
import { openGiftPicker } from './open-gift-picker.ts'
import './gifts.lazy.css'

interface Arrived {
  id: GiftId
  giftKindId: GiftKindId
  name: string
  drawing: string
}

const NO_GIFTS: ProfileGifts = { received: [], latestId: 0 }

/** 'Hediyeler' of a profile: how many of each kind, live. */
export function ReceivedGifts({ answer: { profile, gifts = NO_GIFTS } }: ProfileSectionProps): ReactNode {
  const arrived = useArrivingGifts(profile.id)
  const received = addGifts(gifts, arrived)
  return (
    <section className="profile-section" aria-label="Hediyeler">
      <h4>Hediyeler</h4>
      {received.length === 0 && <p className="list-note">Henüz hediye yok.</p>}
      {received.length > 0 && (
        <ul className="row wrap">
          {received.map((gift) => (
            <GiftCount key={gift.id} gift={gift} />
          ))}
        </ul>
      )}
      {!session.isSelf(profile.id) && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openGiftPicker(profile)}>
          {SEND_GIFT_LABEL}
        </button>
      )}
    </section>
  )
}

function GiftCount({ gift }: { gift: ReceivedGift }): ReactNode {
  const { name, count } = gift
  return (
    <li className="received-gift" title={name}>
      <img src={giftPictureUrl(gift)} alt={name} width={44} height={44} />
      <span>
        <span className="visually-hidden">: </span>
        {countText(count)}
      </span>
    </li>
  )
}

type ArrivedGift = EventPayload<'giftSent'> | EventPayload<'giftReceived'>

/** The gifts that this user has received since the profile was opened, each once. */
function useArrivingGifts(userId: UserId): readonly ArrivedGift[] {
  const [gifts, setGifts] = useState<readonly ArrivedGift[]>([])
  useEffect(() => {
    const add = (gift: ArrivedGift): void => {
      if (gift.recipientId !== userId) return
      setGifts((known) => (known.some(({ id }) => id === gift.id) ? known : [...known, gift]))
    }
    const unsubscribers = [live.on('giftSent', add), live.on('giftReceived', add)]
    return () => unsubscribers.forEach((unsubscribe) => void unsubscribe())
  }, [userId])
  return gifts
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
