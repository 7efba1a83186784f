import type { ReactNode } from 'react'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { leaveLayerEntries } from '../../core/ui/close-on-back.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import { allowUnload } from '../../core/unload-guard.ts'

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
