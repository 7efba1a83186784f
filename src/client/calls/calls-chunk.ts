import { startCall } from './call-actions.ts'
import type { CallPerson, CallType } from './call-state.ts'
import './call-window.tsx'

/** Calls a user, and shows the call; this file and its imports load with the first call. */
export function startShownCall(person: CallPerson, callType: CallType): Promise<void> {
  return startCall(person, callType)
}
