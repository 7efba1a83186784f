import { openOverlay } from '../shell/overlays/overlays.ts'
import type { Call } from './call-state.ts'

/** Whether the server knows the call, so that it can be reported. */
export function canReportCall({ callId, remoteUsername }: Call): boolean {
  return callId !== null && remoteUsername !== null
}

/** Opens the form that reports the other user of a call. */
export function openCallReport({ callId, remoteUsername: username }: Call): void {
  if (callId !== null && username !== null)
    void openOverlay('reportDialog', { target: { kind: 'call', callId, username } })
}
