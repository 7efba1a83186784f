import type { OverlayRegistration } from '../shell/overlays/overlays.ts'
import { LoadWizard } from './load-wizard.tsx'
import { OptionsScreen } from './options-screen.tsx'
import { PremiumDialog } from './premium-dialog.tsx'
import { StarRequestsDialog } from './star-requests-dialog.tsx'
import { StatementDialog } from './statement-dialog.tsx'

export const overlays = {
  /** 'Bakiye Yükleme Talebi'; opened by `openBalanceLoad`. */
  balanceLoad: { component: LoadWizard, access: 'everyone', isSingle: true },
  premiumUpgrade: { component: PremiumDialog, access: 'everyone', isSingle: true },
  /** 'Yüklemeler'. */
  starRequests: { component: StarRequestsDialog, access: 'everyone' },
  /** 'Seçenekler'. */
  optionsScreen: { component: OptionsScreen, access: 'rootAdmins' },
  /** 'Hesap hareketleri'. */
  statement: { component: StatementDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>

type WalletOverlays = typeof overlays

declare module '../shell/overlays/overlays.ts' {
  interface OverlayRegistry extends WalletOverlays {}
}
