import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import { LoadWizard } from './load-wizard.tsx'
import { OptionsScreen } from './options-screen.tsx'
import { PremiumDialog } from './premium-dialog.tsx'
import { RequestsScreen } from './requests-screen.tsx'
import { StarRequestsDialog } from './star-requests-dialog.tsx'
import { StatementDialog } from './statement-dialog.tsx'
import { WithdrawalRequestsDialog } from './withdrawal-requests-dialog.tsx'
import { WithdrawalWizard } from './withdrawal-wizard.tsx'

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
  /** 'Ödemeler'. */
  withdrawalRequests: { component: WithdrawalRequestsDialog, access: 'everyone' },
  /** 'Bizden Ödeme Alın'. */
  withdrawalWizard: { component: WithdrawalWizard, access: 'everyone', isSingle: true },
  /** 'Talepler'. */
  requestsScreen: { component: RequestsScreen, access: 'rootAdmins', isSingle: true },
  /** Asks before a request is approved or rejected. */
  requestDecision: { component: DecisionDialog, access: 'rootAdmins', isSingle: true },
} satisfies Record<string, OverlayRegistration>
