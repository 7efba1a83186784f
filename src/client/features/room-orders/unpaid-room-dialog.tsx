import type { ReactNode } from 'react'
import { EXTEND_LABEL, LAST_CHANCE_TEXT } from '../../../shared/room-orders/texts.ts'
import { type OverlayProps, openOverlay } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import type { RenewedRoom } from './renew-room-wizard.tsx'

/** Says of a deactivated room that extending is the last chance to get it back, and opens the extension. */
export function UnpaidRoomDialog({ room, onClose }: OverlayProps & { room: RenewedRoom }): ReactNode {
  const extend = async (): Promise<boolean> => {
    await openOverlay('renewRoom', { room })
    return true
  }
  return (
    <ConfirmDialog
      title={`#${room.name}`}
      confirmLabel={EXTEND_LABEL}
      isDestructive={false}
      run={extend}
      onClose={onClose}
    >
      {LAST_CHANCE_TEXT}
    </ConfirmDialog>
  )
}
