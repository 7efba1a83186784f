import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { OptionsScreen } from './options-screen.tsx'

export const overlays = {
  /** 'Seçenekler'. */
  optionsScreen: { component: OptionsScreen, access: 'rootAdmins' },
} satisfies Record<string, OverlayRegistration>

type WalletOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends WalletOverlays {}
}
