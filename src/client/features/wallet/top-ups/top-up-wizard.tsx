import { type ReactNode, useState } from 'react'
import type { StarOptionId } from '../../../../shared/protocol/ids.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { BankDetails, StarOption } from '../../../../shared/wallet/options/protocol.ts'
import { MISSING_FIELDS_TEXT } from '../../../../shared/wallet/texts.ts'
import { MAX_SENDER_NAME_LENGTH } from '../../../../shared/wallet/top-ups/limits.ts'
import {
  HOLDER_MISSING_TEXT,
  SENDER_MISSING_TEXT,
  TOP_UP_AMOUNT_MISSING_TEXT,
  TOP_UP_FAILED_TEXT,
  TOP_UP_OPTION_GONE_TEXT,
  TOP_UP_TITLE,
} from '../../../../shared/wallet/top-ups/texts.ts'
import { formatIban } from '../../../../shared/wallet/withdrawals/iban.ts'
import { callOnce } from '../../../core/http/call-once.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { copyText } from '../../../core/shell/copy-text.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { Wizard, type WizardStep } from '../../../core/ui/dialogs/wizard.tsx'
import { useFieldError } from '../../../core/ui/forms/use-field-error.ts'
import { OptionList } from '../../../core/ui/lists/option-list.tsx'
import { ListFailure, ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import { CopyIcon } from '../../../core/ui/person/icons.tsx'
import { useLiveValue } from '../../../model/wallet/option-store.ts'
import { bankDetails, starOptions } from '../../../model/wallet/options.ts'
import { OPTIONS_NOT_LOADED_TEXT } from '../../../model/wallet/texts.ts'
import '../../../model/wallet/wallet.lazy.css'

interface LoadSummaryProps {
  /** null: it is gone. */
  option: StarOption | null
  bank: { value: { bank: BankDetails | null } | undefined; isFailed: boolean; reload: () => void }
}

/** 'Bakiye Yükleme Talebi': the paying account's holder, the amount, and where the money is sent. */
export function TopUpWizard({ onClose }: OverlayProps): ReactNode {
  const [senderName, setSenderName] = useState('')
  const [optionId, setOptionId] = useState<StarOptionId | null>(null)
  const options = useLiveValue(starOptions.list)
  const bank = useLiveValue(bankDetails)
  const option = options.value?.find(({ id }) => id === optionId) ?? null
  const steps: WizardStep[] = [
    {
      title: 'Ödemeyi hangi isimle yapacaksın?',
      content: <SenderField name={senderName} onType={setSenderName} />,
      check: () => (senderName.trim() === '' ? SENDER_MISSING_TEXT : null),
    },
    {
      title: 'Ne kadar yüklemek istiyorsun?',
      content: <AmountField options={options} value={optionId} onChange={setOptionId} />,
      check: () => (option ? null : TOP_UP_AMOUNT_MISSING_TEXT),
    },
    {
      title: 'Parayı bu hesaba gönder',
      content: <TopUpSummary option={option} bank={bank} />,
      nextLabel: 'Talebi Gönder',
      check: () => (option && senderName.trim() !== '' ? null : MISSING_FIELDS_TEXT),
      hasNext: Boolean(bank.value?.bank && option),
    },
  ]
  const warn = (text: string): void => void toast(text, 'warning')
  const submit = () => (option ? requestTopUp(senderName.trim(), option) : Promise.resolve(false))
  return <Wizard title={TOP_UP_TITLE} steps={steps} onProblem={warn} submit={submit} onClose={onClose} />
}

function SenderField({ name, onType }: { name: string; onType: (name: string) => void }): ReactNode {
  const field = useFieldError<HTMLInputElement>(name.trim() === '' ? HOLDER_MISSING_TEXT : null)
  return (
    <label className="field">
      <span className="field-label">Ad Soyad</span>
      <input
        ref={field}
        className="field-input"
        required
        value={name}
        maxLength={MAX_SENDER_NAME_LENGTH}
        placeholder="Ad Soyad"
        autoComplete="name"
        enterKeyHint="next"
        onChange={({ target }) => onType(target.value)}
      />
      <span className="field-hint">Parayı göndereceğin banka hesabının sahibi.</span>
    </label>
  )
}

interface AmountFieldProps {
  options: { value: readonly StarOption[] | null; isFailed: boolean; reload: () => void }
  value: StarOptionId | null
  onChange: (id: StarOptionId) => void
}

function AmountField({ options, value, onChange }: AmountFieldProps): ReactNode {
  if (options.isFailed && !options.value)
    return <ListFailure reason={OPTIONS_NOT_LOADED_TEXT} reload={options.reload} />
  const choices = options.value?.map(({ id, amount }) => ({ value: id, label: formatLira(amount) })) ?? null
  return <OptionList label="Yüklenecek miktar" options={choices} value={value} onChange={onChange} />
}

/** Sends the request and reports the result. */
async function requestTopUp(senderUser: string, { id, amount }: StarOption): Promise<boolean> {
  const body = { starOptionId: id, senderUser, amount }
  const answer = await callOnce<'createStarRequest'>('/star-requests', { as: 'user', body })
  if (!isFailure(answer)) {
    void toast(answer.message, 'success')
    return true
  }
  void toast(failureText(answer, TOP_UP_FAILED_TEXT), 'error')
  return false
}

/** The amount and the account to which it is sent, each with a copy button. */
function TopUpSummary({ option, bank: { value, isFailed, reload } }: LoadSummaryProps): ReactNode {
  if (isFailed && !value) return <ListFailure reason={OPTIONS_NOT_LOADED_TEXT} reload={reload} />
  if (!value) return <ListLoading />
  if (!option) return <p className="wallet-notice">{TOP_UP_OPTION_GONE_TEXT}</p>
  const { bank } = value
  if (!bank) return <p className="wallet-notice">Ödeme bilgileri henüz tanımlanmadı. Lütfen daha sonra tekrar dene.</p>
  return (
    <>
      <dl className="wallet-details">
        <CopyRow name="Tutar" shown={formatLira(option.amount)} copied={String(option.amount)} />
        <CopyRow name="Banka" shown={bank.bankName} />
        <CopyRow name="Hesap sahibi" shown={bank.accountHolder} />
        <CopyRow name="IBAN" shown={formatIban(bank.iban)} copied={bank.iban} />
      </dl>
      <p className="wallet-notice">Önce parayı bu hesaba gönder, sonra ‘Talebi Gönder’ düğmesine bas.</p>
    </>
  )
}

function CopyRow({ name, shown, copied = shown }: { name: string; shown: string; copied?: string }): ReactNode {
  const label = `Kopyala: ${name}`
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{shown}</bdi>
        <button type="button" className="icon-button" aria-label={label} title={label} onClick={() => copyText(copied)}>
          <CopyIcon size={18} />
        </button>
      </dd>
    </div>
  )
}
