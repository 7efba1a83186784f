import type { CallType } from '../../../shared/calls/protocol.ts'
import { LateValue } from '../../core/loading/late-value.ts'
import { loadOrToast } from '../../core/shell/toasts/load-or-toast.ts'
import type { CallPerson } from './call-person.ts'

type StartCall = (person: CallPerson, callType: CallType) => Promise<void>

/** Set by the feature that makes calls; its code loads at the first one. */
export const callStarter = new LateValue<() => Promise<StartCall>>()

/** Calls a user. A failed load is shown in a toast. */
export function placeCall(person: CallPerson, callType: CallType): Promise<void> {
  return loadOrToast(
    async () => callStarter.whenSet((load) => load()),
    (startCall) => startCall(person, callType),
  )
}
