import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { OptionsScreen } from './options-screen.tsx'
import { StatementDialog } from './statement-dialog.tsx'

export const overlays = {
  /** 'Seçenekler'. */
  optionsScreen: { component: OptionsScreen, access: 'rootAdmins' },
  /** 'Hesap hareketleri'. */
  statement: { component: StatementDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type WalletOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends WalletOverlays {}
}
