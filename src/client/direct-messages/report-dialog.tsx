import type { ReactNode } from 'react'
import { MESSAGE_NOT_REPORTED, MESSAGE_REPORTED } from '../../shared/direct-messages/rules.ts'
import type { MessageId } from '../../shared/protocol/ids.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { toast } from '../shell/toasts/toast.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'

interface ReportDialogProps extends OverlayProps {
  report: { messageId: MessageId; senderUsername: string; recipientUsername: string; preview: string }
}

/** Asks before a message is reported to the root admins. */
export function ReportDialog({ report: { preview, ...report }, onClose }: ReportDialogProps): ReactNode {
  const run = async (): Promise<boolean> => {
    const answer = await callApi<'reportDirectMessage'>('/dm/report', { as: 'user', body: report })
    const isDone = !isFailure(answer)
    void toast(isDone ? MESSAGE_REPORTED : MESSAGE_NOT_REPORTED, isDone ? 'success' : 'error')
    return isDone
  }
  return (
    <ConfirmDialog title="Mesajı Bildir" confirmLabel="Bildir" run={run} onClose={onClose}>
      <bdi>{report.senderUsername}</bdi> adlı kullanıcının mesajı, çevresindeki birkaç mesajla birlikte yöneticilere
      gönderilir: <q>{preview}</q> Karşı tarafa haber verilmez.
    </ConfirmDialog>
  )
}
