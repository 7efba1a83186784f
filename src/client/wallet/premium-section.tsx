import type { ReactNode } from 'react'
import { MAX_PREMIUM_DAYS } from '../../shared/wallet/option-limits.ts'
import { callApi } from '../http/call-api.ts'
import { ListFailure } from '../ui/lists/paged-list.tsx'
import { liraField, numberField, numberIn } from './option-fields.ts'
import { OptionForm } from './option-form.tsx'
import { useLiveValue } from './option-store.ts'
import { premiumTerms } from './options.ts'
import { OPTIONS_NOT_LOADED_TEXT } from './texts.ts'

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
