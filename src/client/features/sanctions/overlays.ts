import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { MuteForm } from './mute-form.tsx'
import { RemoveMessageDialog } from './remove-message-dialog.tsx'
import { WarnForm } from './warn-form.tsx'

export const overlays = {
  /** 'Uyar'. */
  warnForm: { component: WarnForm, access: 'rootAdmins' },
  /** 'Sustur'; the server checks who may. */
  muteForm: { component: MuteForm, access: 'everyone' },
  /** 'Mesajı kaldır' and 'Mesajı geri getir'; the server checks who may. */
  removeMessageDialog: { component: RemoveMessageDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
