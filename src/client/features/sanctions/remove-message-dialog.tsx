import { type ReactNode, useCallback } from 'react'
import { mediaPreviews } from '../../../shared/media/previews.ts'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import type { MessageId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import {
  REMOVE_MESSAGE_FAILED,
  REMOVE_MESSAGE_LABEL,
  RESTORE_MESSAGE_FAILED,
  RESTORE_MESSAGE_LABEL,
} from '../../../shared/sanctions/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import { useLoaded } from '../../core/ui/lists/use-loaded.ts'
import './sanction-forms.lazy.css'

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
      {isRestored && session.isRootAdmin() && <RemovedText messageId={messageId} />}
    </ConfirmDialog>
  )
}

/** What the message said, and who removed it; for root admins. */
function RemovedText({ messageId }: { messageId: MessageId }): ReactNode {
  const load = useCallback(async () => {
    const answer = await callApi<'removedMessage'>(`/moderation/removed-messages/${messageId}`, { as: 'admin' })
    return isFailure(answer) ? null : answer
  }, [messageId])
  const { value: removed } = useLoaded(load)
  if (!removed) return null
  const { content, mediaType, removedBy, removedAt } = removed
  return (
    <span className="removed-text">
      <q>{content || (mediaType ? mediaPreviews[mediaType] : '')}</q>
      <small>
        {formatDateTime(removedAt)} · <bdi>{removedBy}</bdi>
      </small>
    </span>
  )
}
