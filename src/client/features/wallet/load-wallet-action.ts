import { LoadIcon } from '../../model/wallet/icons.tsx'
import { openBalanceLoad } from '../../model/wallet/open-balance-load.ts'
import type { WalletAction } from '../../model/wallet/wallet-action.ts'

export const walletAction: WalletAction = { order: 10, label: 'Bakiye Yükle', icon: LoadIcon, run: openBalanceLoad }
