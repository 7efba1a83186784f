import { WITHDRAWAL_FAILED_TEXT } from '../../../../shared/wallet/withdrawal-texts.ts'
import { callOnce } from '../../../core/http/call-once.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'

export interface WithdrawalInput {
  withdrawalOptionId: number
  /** In lira, as it is shown. */
  amount: number
  firstName: string
  lastName: string
  iban: string
}

/** Asks for a payment and shows the result in a toast. Returns whether it succeeded. */
export async function requestWithdrawal(body: WithdrawalInput): Promise<boolean> {
  const answer = await callOnce<'createWithdrawalRequest'>('/withdrawal-requests', { as: 'user', body })
  if (toastIfFailed(answer, WITHDRAWAL_FAILED_TEXT)) return false
  void toast(answer.message, 'success')
  return true
}
