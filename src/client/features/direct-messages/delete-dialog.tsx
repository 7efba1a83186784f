import type { ReactNode } from 'react'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import { type ConversationTarget, deleteConversation } from './conversation-actions.ts'

interface DeleteDialogProps extends OverlayProps {
  target: ConversationTarget
}

/** Asks before a conversation is deleted for the viewer. */
export function DeleteDialog({ target, onClose }: DeleteDialogProps): ReactNode {
  return (
    <ConfirmDialog title="Konuşmayı Sil" confirmLabel="Sil" run={() => deleteConversation(target)} onClose={onClose}>
      <bdi>{target.username}</bdi> ile bütün mesajların tüm cihazlarından silinir ve geri getirilemez. Karşı tarafta
      kalırlar.
    </ConfirmDialog>
  )
}
