import { type ReactNode, useState } from 'react'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import { callOnce } from '../../../core/http/call-once.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { openTopUp } from '../../../model/wallet/open-top-up.ts'
import { useLiveValue } from '../../../model/wallet/option-store.ts'
import { premiumTerms } from '../../../model/wallet/options.ts'
import { ownBalance } from '../../../model/wallet/own-balance.ts'
import '../../../model/wallet/wallet.lazy.css'

/** Asks before premium is bought. A price that changes meanwhile is shown, and asked for again. */
export function PremiumDialog({ onClose }: OverlayProps): ReactNode {
  const { premiumCost: price, days } = useLiveValue(premiumTerms).value
  const balance = useLiveValue(ownBalance).value?.balance
  const [isBusy, setBusy] = useState(false)
  const confirm = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (await buyPremium(price)) onClose()
    else setBusy(false)
  }
  return (
    <Modal title="Premium üyelik" onClose={onClose}>
      <div className="stack gap-5">
        <p className="subject">
          Premium üyeler paylaşım yapar ve kullanıcıları cinsiyete göre süzer. Kalan süren varsa üzerine eklenir.
        </p>
        <dl className="wallet-details">
          <Detail name="Süre">{days} gün</Detail>
          <Detail name="Ücret">{formatLira(price)}</Detail>
          <Detail name="Bakiyen">{balance === undefined ? '...' : formatLira(balance)}</Detail>
        </dl>
        {balance !== undefined && balance < price && (
          <button type="button" className="button" onClick={openTopUp}>
            Bakiye Yükle
          </button>
        )}
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="button" className="button button--accent" aria-disabled={isBusy} onClick={confirm}>
            {isBusy && <span className="spinner" />}
            Onayla · {formatLira(price)}
          </button>
        </div>
      </div>
    </Modal>
  )
}

/** Returns whether premium was bought, and reports the result. */
async function buyPremium(price: number): Promise<boolean> {
  const answer = await callOnce<'upgradeToPremium'>('/users/upgrade-to-premium', { as: 'user', body: { price } })
  if (!isFailure(answer)) {
    void toast(answer.message, 'success')
    return true
  }
  const { message, price: newPrice } = answer instanceof Refusal ? answer.body : { message: NOT_BOUGHT_TEXT }
  if (newPrice !== undefined) premiumTerms.update((known) => ({ ...known, premiumCost: newPrice }))
  void toast(message, newPrice === undefined ? 'error' : 'warning')
  return false
}

const NOT_BOUGHT_TEXT = 'Premium alınamadı. Bağlantını denetleyip tekrar dene.'

function Detail({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
