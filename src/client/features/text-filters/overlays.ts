import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { MarkBanForm } from './mark-ban-form.tsx'

export const overlays = {
  /** 'Tarayıcı veya adresi yasakla'. */
  markBanForm: { component: MarkBanForm, access: 'rootAdmins' },
} satisfies Record<string, OverlayRegistration>
