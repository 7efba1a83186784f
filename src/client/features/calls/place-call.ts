import { showLoadingWhile } from '../../core/loading-indicator.ts'
import { toastLoadFailure } from '../../core/shell/toasts/toast.ts'
import type { CallPerson, CallType } from './call-state.ts'

/** Calls a user; the code of calls loads at the first one. */
export async function placeCall(person: CallPerson, callType: CallType): Promise<void> {
  try {
    const { getCalls } = await showLoadingWhile(import('./calls-chunk.ts'))
    await getCalls().start(person, callType)
  } catch (error) {
    toastLoadFailure(error)
  }
}
