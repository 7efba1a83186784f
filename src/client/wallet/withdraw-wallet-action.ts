import { WITHDRAWAL_TITLE } from '../../shared/wallet/withdrawal-texts.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { WithdrawalIcon } from './icons.tsx'
import type { WalletAction } from './wallet-action.ts'

export const walletAction: WalletAction = {
  order: 20,
  label: WITHDRAWAL_TITLE,
  icon: WithdrawalIcon,
  run: () => openOverlay('withdrawalWizard', {}),
}
