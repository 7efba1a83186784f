import { openOverlay } from '../../core/shell/overlays/overlays.ts'

interface NamedCall {
  callId: string | null
  remoteUsername: string | null
}

/** Whether the server knows the call, so that it can be reported. */
export function canReportCall({ callId, remoteUsername }: NamedCall): boolean {
  return callId !== null && remoteUsername !== null
}

/** Opens the form that reports the other user of a call. */
export function openCallReport({ callId, remoteUsername: username }: NamedCall): void {
  if (callId !== null && username !== null)
    void openOverlay('reportDialog', { target: { kind: 'call', callId, username } })
}
