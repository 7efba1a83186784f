import type { ReactNode } from 'react'
import type { RefusalBody } from '../../../shared/protocol/refusals.ts'
import { openTopUp } from '../../model/wallet/open-top-up.ts'
import './purchase-problem.lazy.css'

/** Why a purchase was refused; with too little balance a button leads to loading. */
export function PurchaseProblem({ refusal }: { refusal: RefusalBody | null }): ReactNode {
  if (!refusal) return null
  return (
    <div className="purchase-problem">
      <p role="alert">{refusal.message}</p>
      {refusal.code === 'InsufficientBalance' && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => void openTopUp()}>
          Bakiye Yükle
        </button>
      )}
    </div>
  )
}
