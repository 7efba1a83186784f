import type { ReactNode } from 'react'
import type { BankDetails } from '../../../../shared/wallet/options/protocol.ts'
import { INVALID_IBAN_TEXT, MISSING_FIELDS_TEXT } from '../../../../shared/wallet/texts.ts'
import { formatIban, isIban, normaliseIban } from '../../../../shared/wallet/withdrawals/iban.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { ListFailure, ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import type { FieldValues, OptionField } from '../../../model/wallet/option-fields.ts'
import { OptionForm } from '../../../model/wallet/option-form.tsx'
import { useLiveValue } from '../../../model/wallet/option-store.ts'
import { bankDetails } from '../../../model/wallet/options.ts'
import { NOT_SAVED_TEXT, OPTIONS_NOT_LOADED_TEXT } from '../../../model/wallet/texts.ts'

const isFilled = (text: string): string | null => (text.trim() === '' ? MISSING_FIELDS_TEXT : null)
const fields: readonly OptionField[] = [
  { name: 'bankName', label: 'Banka', inputMode: 'text', maxLength: 80, check: isFilled },
  { name: 'accountHolder', label: 'Hesap sahibi', inputMode: 'text', maxLength: 80, check: isFilled },
  {
    name: 'iban',
    label: 'IBAN',
    inputMode: 'text',
    maxLength: 40,
    check: (text) => (isIban(normaliseIban(text)) ? null : INVALID_IBAN_TEXT),
  },
]
const NO_BANK: BankDetails = { bankName: '', accountHolder: '', iban: '' }

/** The account to which balance loads are paid. */
export function BankSection(): ReactNode {
  const { value, isFailed, reload } = useLiveValue(bankDetails)
  if (isFailed) return <ListFailure reason={OPTIONS_NOT_LOADED_TEXT} reload={reload} />
  if (!value) return <ListLoading />
  const { bankName, accountHolder, iban } = value.bank ?? NO_BANK
  return (
    <OptionForm
      fields={fields}
      saved={{ bankName, accountHolder, iban: formatIban(iban) }}
      submitLabel="Kaydet"
      send={(values) => saveBank(values)}
    >
      {value.bank && (
        <button type="button" className="button" onClick={() => void removeBank()}>
          Hesabı kaldır
        </button>
      )}
    </OptionForm>
  )
}

function saveBank({ bankName, accountHolder, iban }: FieldValues): Promise<object | string> {
  const bank = { bankName, accountHolder, iban }
  return callApi('/root-admin/bank-details', { as: 'admin', method: 'PUT', body: { bank } })
}

async function removeBank(): Promise<void> {
  const answer = await callApi('/root-admin/bank-details', { as: 'admin', method: 'PUT', body: { bank: null } })
  toastIfFailed(answer, NOT_SAVED_TEXT)
}
