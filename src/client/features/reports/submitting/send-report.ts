import type { ReportReason } from '../../../../shared/reports/rules.ts'
import { REPORT_FAILED_TEXTS } from '../../../../shared/reports/screen-texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import type { ReportTarget } from './report-target.ts'

export interface ReportDetails {
  reason: ReportReason
  /** '' without one. */
  note: string
}

/** Sends a report to the root admins and shows the result in a toast. Returns whether it succeeded. */
export async function sendReport(target: ReportTarget, details: ReportDetails): Promise<boolean> {
  const answer = await callReportRoute(target, details)
  if (toastIfFailed(answer, REPORT_FAILED_TEXTS[target.kind])) return false
  void toast(answer.message, 'success')
  return true
}

function callReportRoute(target: ReportTarget, details: ReportDetails) {
  const { username } = target
  const send = <N extends 'reportDirectMessage' | 'reportRoomMessage' | 'reportPost' | 'reportProfile' | 'reportCall'>(
    path: string,
    fields: object,
  ) => callApi<N>(path, { as: 'user', body: { ...fields, ...details } })
  switch (target.kind) {
    case 'directMessage': {
      const { messageId, recipientUsername } = target
      return send<'reportDirectMessage'>('/dm/report', { messageId, senderUsername: username, recipientUsername })
    }
    case 'roomMessage':
      return send<'reportRoomMessage'>('/rooms/report', { messageId: target.messageId, roomId: target.roomId })
    case 'post':
      return send<'reportPost'>('/posts/report', { postId: target.postId })
    case 'profile':
      return send<'reportProfile'>('/users/report', { username, userId: target.userId })
    case 'call':
      return send<'reportCall'>('/calls/report', { callId: target.callId, username })
  }
}
