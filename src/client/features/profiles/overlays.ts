import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { ProfileEditor } from './editor/profile-editor.tsx'
import { ProfilePanel } from './profile-panel.tsx'

export const overlays = {
  /** 'Profil'. */
  profile: { component: ProfilePanel, access: 'everyone', isSingle: true },
  /** 'Bilgilerimi Güncelle'. */
  profileEditor: { component: ProfileEditor, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
