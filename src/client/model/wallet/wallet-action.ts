import type { ComponentType } from 'react'
import { EntryList } from '../../core/shell/entry-list.ts'

/** A button of the wallet in a member's profile card. */
export interface WalletAction {
  /** The buttons are shown in this order. */
  order: number
  label: string
  icon: ComponentType
  run(): unknown
}

/** The actions of all features. */
export const walletActions = new EntryList<WalletAction>()
