import type { ReactNode } from 'react'
import { MAX_PREMIUM_DAYS } from '../../../../shared/wallet/options/limits.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { ListFailure } from '../../../core/ui/lists/paged-list.tsx'
import { liraField, numberField, numberIn } from '../../../model/wallet/option-fields.ts'
import { OptionForm } from '../../../model/wallet/option-form.tsx'
import { useLiveValue } from '../../../model/wallet/option-store.ts'
import { premiumTerms } from '../../../model/wallet/options.ts'
import { OPTIONS_NOT_LOADED_TEXT } from '../../../model/wallet/texts.ts'

const fields = [liraField('premiumCost', 'Ücret'), numberField('days', 'Süre (gün)', 1, MAX_PREMIUM_DAYS)]

/** What premium costs, and how long it lasts. */
export function PremiumSection(): ReactNode {
  const { value, isFailed, reload } = useLiveValue(premiumTerms)
  if (isFailed) return <ListFailure reason={OPTIONS_NOT_LOADED_TEXT} reload={reload} />
  return (
    <OptionForm
      fields={fields}
      saved={{ premiumCost: String(value.premiumCost), days: String(value.days) }}
      submitLabel="Kaydet"
      send={(values) =>
        callApi('/root-admin/premium-cost', {
          as: 'admin',
          method: 'PUT',
          body: { premiumCost: numberIn(values, 'premiumCost'), days: numberIn(values, 'days') },
        })
      }
    />
  )
}
