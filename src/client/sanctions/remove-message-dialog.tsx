import type { ReactNode } from 'react'
import type { MessageId } from '../../shared/protocol/ids.ts'
import {
  REMOVE_MESSAGE_FAILED,
  REMOVE_MESSAGE_LABEL,
  RESTORE_MESSAGE_FAILED,
  RESTORE_MESSAGE_LABEL,
} from '../../shared/sanctions/texts.ts'
import { live } from '../live/state.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { toastIfFailed } from '../shell/toasts/toast-failure.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'

interface RemoveMessageDialogProps extends OverlayProps {
  messageId: MessageId
  username: string
  /** Whether a removed message is shown again. */
  isRestored: boolean
}

/** Asks before a message is removed for everybody, or shown again. */
export function RemoveMessageDialog({ messageId, username, isRestored, onClose }: RemoveMessageDialogProps): ReactNode {
  const run = async (): Promise<boolean> => {
    const input = { messageId, clientId: crypto.randomUUID() }
    if (isRestored) return !toastIfFailed(await live.request('restoreMessage', input), RESTORE_MESSAGE_FAILED)
    return !toastIfFailed(await live.request('removeMessage', input), REMOVE_MESSAGE_FAILED)
  }
  return (
    <ConfirmDialog
      title={isRestored ? RESTORE_MESSAGE_LABEL : REMOVE_MESSAGE_LABEL}
      confirmLabel={isRestored ? 'Geri getir' : 'Kaldır'}
      isDestructive={!isRestored}
      run={run}
      onClose={onClose}
    >
      <bdi>{username}</bdi>{' '}
      {isRestored
        ? 'adlı kullanıcının mesajı herkese yeniden gösterilir.'
        : 'adlı kullanıcının mesajı herkes için kaldırılır; yerinde kaldırıldığı yazar.'}
    </ConfirmDialog>
  )
}
