import type { ReactNode } from 'react'
import { session } from '../../../core/session/session.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../../core/ui/dialogs/confirm-dialog.tsx'

/** Asks a guest who logs out whether the name may go. */
export function LeaveGuestDialog({ onClose }: OverlayProps): ReactNode {
  return (
    <ConfirmDialog
      title="Adın serbest kalsın mı?"
      confirmLabel="Çıkış Yap"
      isDestructive={false}
      run={() => session.logOut()}
      onClose={onClose}
    >
      Misafirsin: çıkınca <bdi>{session.username()}</bdi> adı senin olmaktan çıkar, yarım saat sonra başkası alabilir.
      Üye olursan adın sende kalır.
    </ConfirmDialog>
  )
}
