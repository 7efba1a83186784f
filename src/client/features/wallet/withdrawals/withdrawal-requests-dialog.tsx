import type { ReactNode } from 'react'
import {
  WITHDRAWAL_TITLE,
  WITHDRAWALS_NOT_LOADED,
  WITHDRAWALS_TITLE,
} from '../../../../shared/wallet/withdrawals/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { live } from '../../../core/live/state.ts'
import { type OverlayProps, openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { LIST_NOT_LOADED } from '../../../core/ui/lists/paged-list.tsx'
import type { RequestSource } from '../requests/request-list.ts'
import { RequestsDialog } from '../requests/requests-dialog.tsx'
import './withdrawals.lazy.css'

const source: RequestSource = {
  live,
  fetchPage: async (before) => {
    const path = `/withdrawal-requests/user${pageQuery(before)}`
    const answer = await callApi<'ownWithdrawalRequests'>(path, { as: 'user' })
    if (toastIfFailed(answer, WITHDRAWALS_NOT_LOADED)) return LIST_NOT_LOADED
    return { items: answer.withdrawalRequests, next: answer.next }
  },
  events: ['withdrawalRequestCreated', 'withdrawalRequestApproved', 'withdrawalRequestRejected'],
}

/** 'Ödemeler': the viewer's payment requests, and the wizard for a new one. */
export function WithdrawalRequestsDialog({ onClose }: OverlayProps): ReactNode {
  return (
    <RequestsDialog title={WITHDRAWALS_TITLE} source={source} empty="Henüz ödeme talebin yok." onClose={onClose}>
      <button
        type="button"
        className="button button--accent wide mb-4"
        aria-haspopup="dialog"
        onClick={() => void openOverlay('withdrawalWizard', {})}
      >
        {WITHDRAWAL_TITLE}
      </button>
    </RequestsDialog>
  )
}
