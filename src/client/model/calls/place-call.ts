import type { CallType } from '../../../shared/calls/protocol.ts'
import { showLoadingWhile } from '../../core/loading/loading-indicator.ts'
import { toastLoadFailure } from '../../core/shell/toasts/toast.ts'
import type { CallPerson } from './call-person.ts'

type StartCall = (person: CallPerson, callType: CallType) => Promise<void>

let loadStartCall: () => Promise<StartCall> = async () => {
  throw new Error('the calls have not started')
}

/** Set by the feature that makes calls; its code loads at the first one. */
export function setCallStarter(load: () => Promise<StartCall>): void {
  loadStartCall = load
}

/** Calls a user. A failed load is shown in a toast. */
export async function placeCall(person: CallPerson, callType: CallType): Promise<void> {
  try {
    const startCall = await showLoadingWhile(loadStartCall())
    await startCall(person, callType)
  } catch (error) {
    toastLoadFailure(error)
  }
}
