import type { ReactNode } from 'react'
import {
  WITHDRAWAL_TITLE,
  WITHDRAWALS_NOT_LOADED,
  WITHDRAWALS_TITLE,
} from '../../../../shared/wallet/withdrawals/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { type OverlayProps, openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { LIST_NOT_LOADED } from '../../../core/ui/lists/paged-list.tsx'
import type { RequestEventName, RequestSource } from '../requests/request-list.ts'
import { RequestsDialog } from '../requests/requests-dialog.tsx'
import './withdrawals.lazy.css'

const events: readonly RequestEventName[] = [
  'withdrawalRequestCreated',
  'withdrawalRequestApproved',
  'withdrawalRequestRejected',
]

const source: RequestSource = {
  failureText: () => LIST_NOT_LOADED,
  fetchPage: async (before) => {
    const path = `/withdrawal-requests/user${pageQuery(before)}`
    const answer = await callApi<'ownWithdrawalRequests'>(path, { as: 'user' })
    if (toastIfFailed(answer, WITHDRAWALS_NOT_LOADED)) return answer
    return { items: answer.withdrawalRequests, next: answer.next }
  },
}

/** 'Ödemeler': the viewer's payment requests, and the wizard for a new one. */
export function WithdrawalRequestsDialog({ onClose }: OverlayProps): ReactNode {
  return (
    <RequestsDialog
      title={WITHDRAWALS_TITLE}
      source={source}
      events={events}
      empty="Henüz ödeme talebin yok."
      onClose={onClose}
    >
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
