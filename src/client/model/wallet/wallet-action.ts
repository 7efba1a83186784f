import type { ComponentType } from 'react'

/** A button of the wallet in a member's profile card. A file `*-wallet-action.ts` exports it as `walletAction`. */
export interface WalletAction {
  /** The buttons are shown in this order. */
  order: number
  label: string
  icon: ComponentType
  run(): unknown
}

/** All features' actions, in order. */
export const walletActions = Object.values(
  import.meta.glob<WalletAction>('../../{core,model,features,page}/*/*-wallet-action.ts', {
    eager: true,
    import: 'walletAction',
  }),
).sort((a, b) => a.order - b.order)
