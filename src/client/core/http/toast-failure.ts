import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { toast } from '../shell/toasts/toast.ts'

/** Whether a request failed. If so, shows `failed` in a toast, with the server's message after a refusal. */
export function toastIfFailed(answer: object | string, failed: string): answer is Refusal | string {
  if (!isFailure<object | string | Refusal>(answer)) return false
  void toast(answer instanceof Refusal ? `${failed} ${answer.body.message}` : failed, 'error')
  return true
}
