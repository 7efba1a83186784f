import { type FormEvent, type ReactNode, useState } from 'react'
import type { GiftKind } from '../../../shared/gifts/protocol.ts'
import { SEND_GIFT_LABEL } from '../../../shared/gifts/rules.ts'
import type { GiftKindId, UserId } from '../../../shared/protocol/ids.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { openTopUp } from '../../model/wallet/open-top-up.ts'
import { useLiveValue } from '../../model/wallet/option-store.ts'
import { ownBalance } from '../../model/wallet/own-balance.ts'
import { giftKinds, giftPictureUrl } from './gifts.ts'
import './gifts.lazy.css'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { OnceKeys } from '../../core/http/once-keys.ts'
import { live } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

const NOT_GIVEN_TEXT = 'Hediye gönderilemedi. Bağlantını denetleyip tekrar dene.'

const clientIds = new OnceKeys(browserEnvironment.uuid)

interface GiftPickerProps extends OverlayProps {
  recipient: { id: UserId; username: string }
}

/** 'Hediye gönder': the catalogue, and the button that gives the chosen gift at its shown price. */
export function GiftPicker({ recipient, onClose }: GiftPickerProps): ReactNode {
  const { value: gifts, isFailed, reload } = useLiveValue(giftKinds.list)
  const balance = useLiveValue(ownBalance).value?.balance
  const [chosenId, choose] = useState<GiftKindId | null>(null)
  const gift = gifts?.find(({ id }) => id === chosenId) ?? null
  const { isBusy, submit } = useGiving(gift, recipient, onClose)
  return (
    <Modal title={SEND_GIFT_LABEL} isFullScreen onClose={onClose}>
      <form className="stack gap-4" noValidate onSubmit={submit}>
        <p className="subject">
          <bdi>{recipient.username}</bdi> için bir hediye seç.
        </p>
        {!gifts && !isFailed && <ListLoading />}
        {!gifts && isFailed && <ListFailure reason="Hediyeler yüklenirken bir hata oluştu." reload={reload} />}
        {gifts?.length === 0 && <p className="list-note">Şu anda gönderilebilecek hediye yok.</p>}
        {gifts && <GiftChoices gifts={gifts} chosenId={chosenId} choose={choose} />}
        <div className="gift-end">
          <p className="soft tabular">Bakiyen: {balance === undefined ? '...' : formatLira(balance)}</p>
          {gift && balance !== undefined && balance < gift.price && (
            <button type="button" className="button" onClick={openTopUp}>
              Bakiye Yükle
            </button>
          )}
          <button type="submit" className="button button--accent button--large" aria-disabled={isBusy || !gift}>
            {isBusy && <span className="spinner" />}
            {gift ? `Gönder · ${formatLira(gift.price)}` : 'Gönder'}
          </button>
        </div>
      </form>
    </Modal>
  )
}

interface GiftChoicesProps {
  gifts: readonly GiftKind[]
  chosenId: GiftKindId | null
  choose: (id: GiftKindId) => void
}

function GiftChoices({ gifts, chosenId, choose }: GiftChoicesProps): ReactNode {
  return (
    <div className="gift-choices" role="radiogroup" aria-label="Hediyeler">
      {gifts.map((gift) => (
        <label key={gift.id}>
          <input
            className="visually-hidden"
            type="radio"
            name="gift"
            checked={gift.id === chosenId}
            onChange={() => choose(gift.id)}
          />
          <img src={giftPictureUrl(gift)} alt="" width={64} height={64} />
          <span className="semibold">{gift.name}</span>
          <span className="soft small tabular">{formatLira(gift.price)}</span>
        </label>
      ))}
    </div>
  )
}

function useGiving(gift: GiftKind | null, recipient: GiftPickerProps['recipient'], onGiven: () => void) {
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy || !gift) return
    setBusy(true)
    const isGiven = await giveGift(gift, recipient)
    setBusy(false)
    if (isGiven) onGiven()
  }
  return { isBusy, submit }
}

/**
 * Gives a gift at its shown price and reports the result. Returns whether it was given. Clicking again without an answer
 * sends the same `clientId`, so that a gift whose answer was lost is given once.
 */
async function giveGift(gift: GiftKind, recipient: { id: UserId; username: string }): Promise<boolean> {
  const { id: giftKindId, price, name } = gift
  const { roomId } = live
  // Without the room, which a lost connection leaves.
  const request = JSON.stringify([giftKindId, recipient.id, price])
  const clientId = clientIds.keyOf(request)
  const input = { giftKindId, recipientId: recipient.id, price, ...(roomId !== null && { roomId }), clientId }
  const answer = await live.request('sendGift', input)
  if (typeof answer !== 'string') clientIds.forget(request)
  if (!isFailure(answer)) {
    void toast(`${isolateBidi(recipient.username)} kullanıcısına ${name} gönderildi.`, 'success')
    return true
  }
  const { message, price: newPrice } = answer instanceof Refusal ? answer.body : { message: NOT_GIVEN_TEXT }
  if (newPrice !== undefined) giftKinds.put({ ...gift, price: newPrice })
  void toast(message, newPrice === undefined ? 'error' : 'warning')
  return false
}
