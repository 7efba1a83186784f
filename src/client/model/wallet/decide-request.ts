import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { RequestDecision, RequestKind } from '../../../shared/wallet/requests/request.ts'
import { decisionFailedTexts } from '../../../shared/wallet/requests/texts.ts'
import { callOnce } from '../../core/http/call-once.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { toast } from '../../core/shell/toasts/toast.ts'

interface RequestKey {
  kind: RequestKind
  id: number
}

const verbs: Record<RequestDecision, string> = { approved: 'approve', rejected: 'reject' }

/**
 * Approves or rejects a request and shows the result in a toast. Returns whether it is decided now, by this root admin or
 * by another one who was faster.
 */
export async function decideRequest({ kind, id }: RequestKey, decision: RequestDecision): Promise<boolean> {
  const path = `/${kind === 'star' ? 'star-requests' : 'withdrawal-requests'}/${id}/${verbs[decision]}`
  const answer = await callOnce<'approveWithdrawalRequest'>(path, { as: 'admin', body: {} })
  if (answer instanceof Refusal && answer.body.code === 'RequestDecided') {
    void toast(answer.body.message, 'warning')
    return true
  }
  if (toastIfFailed(answer, decisionFailedTexts[kind][decision])) return false
  void toast(answer.message, 'success')
  return true
}
