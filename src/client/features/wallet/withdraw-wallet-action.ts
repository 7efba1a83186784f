import { WITHDRAWAL_TITLE } from '../../../shared/wallet/withdrawal-texts.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { WithdrawalIcon } from '../../model/wallet/icons.tsx'
import type { WalletAction } from '../../model/wallet/wallet-action.ts'

export const walletAction: WalletAction = {
  order: 20,
  label: WITHDRAWAL_TITLE,
  icon: WithdrawalIcon,
  run: () => openOverlay('withdrawalWizard', {}),
}
