import type { ReactNode } from 'react'
import { OptionListEditor } from '../../../model/wallet/option-list-editor.tsx'
import { allStarOptions, allWithdrawalOptions } from '../../../model/wallet/options.ts'
import { amountKind } from './amount-kinds.ts'

const starKind = amountKind(allStarOptions, '/root-admin/star-options')
const withdrawalKind = amountKind(allWithdrawalOptions, '/root-admin/withdrawal-options')

/** The amounts that can be loaded. */
export function StarOptionsSection(): ReactNode {
  return <OptionListEditor kind={starKind} />
}

/** The amounts that can be withdrawn. */
export function WithdrawalOptionsSection(): ReactNode {
  return <OptionListEditor kind={withdrawalKind} />
}
