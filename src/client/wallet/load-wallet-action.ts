import { LoadIcon } from './icons.tsx'
import { openBalanceLoad } from './open-balance-load.ts'
import type { WalletAction } from './wallet-action.ts'

export const walletAction: WalletAction = { order: 10, label: 'Bakiye Yükle', icon: LoadIcon, run: openBalanceLoad }
