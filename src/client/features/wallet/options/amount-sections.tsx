import type { ReactNode } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { OptionStatus } from '../../../../shared/wallet/options/protocol.ts'
import { liraField, numberIn } from '../../../model/wallet/option-fields.ts'
import { OptionListEditor, type OptionListKind } from '../../../model/wallet/option-list-editor.tsx'
import type { OptionStore } from '../../../model/wallet/option-store.ts'
import { allStarOptions, allWithdrawalOptions } from '../../../model/wallet/options.ts'

interface AmountOption {
  id: number
  amount: number
  status: OptionStatus
}

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

/** How amounts to load and to withdraw are edited. */
function amountKind<O extends AmountOption>(store: OptionStore<O>, path: string): OptionListKind<O> {
  return {
    store,
    path,
    fields: [liraField('amount', 'Tutar')],
    toValues: (option) => ({ amount: option ? String(option.amount) : '' }),
    toBody: (values, option) => ({ amount: numberIn(values, 'amount'), status: option?.status ?? 'active' }),
    describe: ({ amount }) => ({ label: formatLira(amount) }),
    status: {
      isOn: ({ status }) => status === 'active',
      toBody: ({ amount }, isOn) => ({ amount, status: isOn ? 'active' : 'inactive' }),
    },
  }
}
