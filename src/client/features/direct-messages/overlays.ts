import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { DeleteDialog } from './delete-dialog.tsx'

export const overlays = {
  /** The confirmation of 'Konuşmayı sil'. */
  deleteConversation: { component: DeleteDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
