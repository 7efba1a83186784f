import type { ReactNode } from 'react'
import { leaveLayerEntries } from '../../core/navigation/close-on-back.ts'
import { allowUnload } from '../../core/navigation/unload-guard.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'

/** Asks before Back leaves the room (shell/leave-guard.ts). */
export function LeaveRoomDialog({ onClose }: OverlayProps): ReactNode {
  return (
    <ConfirmDialog
      title="Odadan ayrılıyor musun?"
      confirmLabel="Ayrıl"
      isDestructive={false}
      run={leave}
      onClose={onClose}
    >
      Ana sayfaya dönersin. Oturumun açık kalır.
    </ConfirmDialog>
  )
}

/** Replaces the page's entry, so that Back then leads to where the user came from. */
async function leave(): Promise<boolean> {
  await leaveLayerEntries()
  allowUnload()
  location.replace('/')
  return false
}
