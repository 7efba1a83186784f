import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { FingerprintBanForm } from './fingerprint-ban-form.tsx'

export const overlays = {
  /** 'Tarayıcı veya adresi yasakla'. */
  fingerprintBanForm: { component: FingerprintBanForm, access: 'rootAdmins' },
} satisfies Record<string, OverlayRegistration>
