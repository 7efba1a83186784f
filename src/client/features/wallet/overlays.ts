import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { OptionsScreen } from './options/options-screen.tsx'
import { PremiumDialog } from './premium/premium-dialog.tsx'
import { DecisionDialog } from './requests/decision-dialog.tsx'
import { RequestsScreen } from './requests/requests-screen.tsx'
import { StarRequestsDialog } from './star-requests/star-requests-dialog.tsx'
import { TopUpWizard } from './star-requests/top-up-wizard.tsx'
import { StatementDialog } from './statement/statement-dialog.tsx'
import { WithdrawalRequestsDialog } from './withdrawals/withdrawal-requests-dialog.tsx'
import { WithdrawalWizard } from './withdrawals/withdrawal-wizard.tsx'

export const overlays = {
  /** 'Bakiye Yükleme Talebi'; opened by `openTopUp`. */
  topUp: { component: TopUpWizard, access: 'everyone', isSingle: true },
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
