import type { ReactNode } from 'react'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import { extendExpiry } from '../../../shared/room-orders/term-rules.ts'
import {
  EXTEND_LABEL,
  ORDER_FIELDS_MISSING,
  RENEWAL_FAILED,
  RENEWAL_REFUSED,
} from '../../../shared/room-orders/texts.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { live } from '../../core/live/state.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { Wizard, type WizardStep } from '../../core/ui/dialogs/wizard.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { dateText } from '../../core/ui/format/turkish-time.ts'
import { PurchaseProblem } from './purchase-problem.tsx'
import { capacityStep, durationStep, withPrice } from './term-steps.tsx'
import { usePurchase } from './use-purchase.ts'
import { type RoomTerms, useRoomTerms } from './use-room-terms.ts'
import './renew-room.lazy.css'

export type RenewedRoom = Pick<OwnRoom, 'id' | 'name' | 'capacity' | 'expiryDate'>

/** Extends a room in three steps: duration, capacity, amount to pay (specification 2, point 2, "Room renewal wizard"). */
export function RenewRoomWizard({ room, onClose }: OverlayProps & { room: RenewedRoom }): ReactNode {
  const terms = useRoomTerms(room.capacity)
  const texts = { refused: RENEWAL_REFUSED, failed: RENEWAL_FAILED }
  const { refusal, buy } = usePurchase(`/rooms/${room.id}/renew`, texts, terms.reload)
  const price = terms.price(false)
  const submit = async (): Promise<boolean> => {
    const { duration, capacity } = terms
    if (!duration.option || !capacity.option) {
      void toast(ORDER_FIELDS_MISSING, 'warning')
      return false
    }
    const options = { capacityOptionId: capacity.option.id, durationOptionId: duration.option.id }
    return buy({ ...options, price })
  }
  const steps: WizardStep[] = [
    durationStep(terms),
    capacityStep(terms),
    {
      title: 'Ödenecek tutar',
      content: (
        <>
          <Summary room={room} terms={terms} price={price} />
          <PurchaseProblem refusal={refusal} />
        </>
      ),
      nextLabel: withPrice(EXTEND_LABEL, price),
    },
  ]
  return (
    <Wizard
      title={EXTEND_LABEL}
      steps={steps}
      onProblem={(text) => void toast(text, 'warning')}
      submit={submit}
      onClose={onClose}
    />
  )
}

interface SummaryProps {
  room: RenewedRoom
  terms: RoomTerms
  price: number | null
}

function Summary({ room, terms: { duration, capacity }, price }: SummaryProps): ReactNode {
  if (!duration.option || !capacity.option || price === null) return null
  const { durationInMonths } = duration.option
  const rows = [
    ['Oda', `#${room.name}`],
    ['Süre', `${countText(durationInMonths)} Ay`],
    ['Limit', `${countText(capacity.option.numberOfPeople)} Kişi`],
    ['Yeni bitiş', dateText(extendExpiry(room.expiryDate, durationInMonths, live.serverNow()))],
    ['Tutar', formatLira(price)],
  ]
  return (
    <dl className="renewal-summary">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
