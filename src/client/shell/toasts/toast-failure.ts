import { Refusal } from '../../../shared/protocol/refusals.ts'
import { toast } from './toast.ts'

/** Whether something did not work: then that is said, with the server's reason where there is one. */
export function toastIfFailed(answer: object | string, failed: string): answer is Refusal | string {
  if (typeof answer === 'object' && !(answer instanceof Refusal)) return false
  void toast(answer instanceof Refusal ? `${failed} ${answer.body.message}` : failed, 'error')
  return true
}
