import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { Call } from './call-state.ts'

type NamedCall = Pick<Call, 'callId' | 'remoteUsername'>

/** Whether the server knows the call, so that it can be reported. */
export function canReportCall({ callId, remoteUsername }: NamedCall): boolean {
  return callId !== null && remoteUsername !== null
}

/** Opens the form that reports the other user of a call. */
export function openCallReport({ callId, remoteUsername: username }: NamedCall): void {
  if (callId !== null && username !== null)
    void openOverlay('reportDialog', { target: { kind: 'call', callId, username } })
}
