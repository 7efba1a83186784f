import { type ChangeEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { WithdrawalOption } from '../../../../shared/wallet/options/protocol.ts'
import { editIban, typedIban } from '../../../../shared/wallet/withdrawals/iban-input.ts'
import { MAX_ACCOUNT_NAME_LENGTH } from '../../../../shared/wallet/withdrawals/limits.ts'
import { accountProblem, amountProblem } from '../../../../shared/wallet/withdrawals/rules.ts'
import {
  FIRST_NAME_MISSING_TEXT,
  IBAN_FORM_TEXT,
  IBAN_MISSING_TEXT,
  LAST_NAME_MISSING_TEXT,
  WITHDRAWAL_FAILED_TEXT,
  WITHDRAWAL_OPTIONS_NOT_LOADED,
  WITHDRAWAL_TITLE,
  WRONG_IBAN_TEXT,
} from '../../../../shared/wallet/withdrawals/texts.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { Wizard } from '../../../core/ui/dialogs/wizard.tsx'
import { useFieldError } from '../../../core/ui/forms/use-field-error.ts'
import { OptionList } from '../../../core/ui/lists/option-list.tsx'
import { LIST_NOT_LOADED, ListFailure } from '../../../core/ui/lists/paged-list.tsx'
import { useLiveValue } from '../../../model/wallet/option-store.ts'
import { withdrawalOptions } from '../../../model/wallet/options.ts'
import { ownBalance } from '../../../model/wallet/own-balance.ts'
import './withdrawals.lazy.css'
import { formatIban, hasIbanForm, isIban } from '../../../../shared/wallet/withdrawals/iban.ts'
import { callOnce } from '../../../core/http/call-once.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'

interface IbanFieldProps {
  /** Without spaces. */
  iban: string
  onChange: (iban: string) => void
}

interface WithdrawalInput {
  withdrawalOptionId: number
  /** In lira, as it is shown. */
  amount: number
  firstName: string
  lastName: string
  iban: string
}

/** 'Bizden Ödeme Alın': an amount, then the account (specification 2, point 2). */
export function WithdrawalWizard({ onClose }: OverlayProps): ReactNode {
  const [optionId, chooseOption] = useState<number | null>(null)
  const [account, setAccount] = useState({ firstName: '', lastName: '', iban: typedIban('') })
  const options = useLiveValue(withdrawalOptions.list)
  const { value: money } = useLiveValue(ownBalance)
  const option = options.value?.find(({ id }) => id === optionId) ?? null
  const check = (): string | null => amountProblem(option?.amount ?? null, money?.withdrawable ?? null)
  return (
    <Wizard
      title={WITHDRAWAL_TITLE}
      // The field itself says that the IBAN's check digits are wrong.
      onProblem={(text) => text !== WRONG_IBAN_TEXT && void toast(text, 'error')}
      onClose={onClose}
      submit={async () =>
        option !== null && requestWithdrawal({ ...account, withdrawalOptionId: option.id, amount: option.amount })
      }
      steps={[
        {
          title: 'Ne kadar ödeme almak istiyorsun?',
          check,
          content: (
            <>
              {money && <WithdrawableNote {...money} />}
              <Amounts {...options} optionId={option?.id ?? null} money={money} onChoose={chooseOption} />
            </>
          ),
        },
        {
          title: 'Ödeme hangi hesaba yapılsın?',
          nextLabel: 'Ödeme talebi gönder',
          // The option may have changed meanwhile.
          check: () => check() ?? accountProblem(account),
          content: <AccountFields account={account} amount={option?.amount ?? null} onChange={setAccount} />,
        },
      ]}
    />
  )
}

/** How much can be paid out, and why the rest cannot. */
function WithdrawableNote({ balance: total, withdrawable }: { balance: number; withdrawable: number }): ReactNode {
  const loaded = total - withdrawable
  return (
    <div className="withdrawable">
      <p>
        <span>Çekilebilir bakiyen</span> <b>{formatLira(withdrawable)}</b>
      </p>
      <p className="soft small">
        Yalnızca sana gönderilen hediyelerden kazandığın para çekilebilir.{' '}
        {loaded > 0
          ? `Yüklediğin ${formatLira(loaded)} sitede harcanmak içindir, ödeme olarak alınamaz.`
          : 'Yüklediğin bakiye ödeme olarak alınamaz.'}
      </p>
    </div>
  )
}

interface AmountsProps {
  value: readonly WithdrawalOption[] | null
  isFailed: boolean
  reload: () => void
  optionId: number | null
  money: { withdrawable: number } | null
  onChoose: (id: number) => void
}

function Amounts({ value: options, isFailed, reload, optionId, money, onChoose }: AmountsProps): ReactNode {
  useEffect(() => {
    if (isFailed) void toast(WITHDRAWAL_OPTIONS_NOT_LOADED, 'error')
  }, [isFailed])
  if (isFailed && !options) return <ListFailure reason={LIST_NOT_LOADED} reload={reload} />
  if (options?.length === 0) return <p className="list-note">Şu anda bir ödeme seçeneği yok.</p>
  const isBeyond = (amount: number): boolean => money !== null && amount > money.withdrawable
  const rows = options?.map(({ id, amount }) => ({
    value: id,
    label: formatLira(amount),
    ...(isBeyond(amount) && { detail: 'Bakiye yetersiz' }),
  }))
  return <OptionList label="Ödeme tutarı" options={rows ?? null} value={optionId} onChange={onChoose} />
}

interface Account {
  firstName: string
  lastName: string
  iban: string
}

interface AccountFieldsProps {
  account: Account
  /** In lira; null when the option is gone. */
  amount: number | null
  onChange: (account: Account) => void
}

function AccountFields({ account, amount, onChange }: AccountFieldsProps): ReactNode {
  return (
    <>
      {amount !== null && (
        <p className="soft small">
          <b>{formatLira(amount)}</b> bu hesaba gönderilir. Talebin yanıtlanana kadar bakiyenden ayrılır.
        </p>
      )}
      <NameField
        label="Ad"
        missing={FIRST_NAME_MISSING_TEXT}
        autoComplete="given-name"
        value={account.firstName}
        onChange={(firstName) => onChange({ ...account, firstName })}
      />
      <NameField
        label="Soyad"
        missing={LAST_NAME_MISSING_TEXT}
        autoComplete="family-name"
        value={account.lastName}
        onChange={(lastName) => onChange({ ...account, lastName })}
      />
      <IbanField iban={account.iban} onChange={(iban) => onChange({ ...account, iban })} />
    </>
  )
}

interface NameFieldProps {
  label: string
  /** The error when nothing is typed. */
  missing: string
  autoComplete: string
  value: string
  onChange: (value: string) => void
}

function NameField({ label, missing, autoComplete, value, onChange }: NameFieldProps): ReactNode {
  const id = useId()
  const field = useFieldError<HTMLInputElement>(value.trim() === '' ? missing : null)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        ref={field}
        id={id}
        className="field-input"
        required
        maxLength={MAX_ACCOUNT_NAME_LENGTH}
        autoComplete={autoComplete}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

/** Asks for a payment and shows the result in a toast. Returns whether it succeeded. */
async function requestWithdrawal(body: WithdrawalInput): Promise<boolean> {
  const answer = await callOnce<'createWithdrawalRequest'>('/withdrawal-requests', { as: 'user', body })
  if (toastIfFailed(answer, WITHDRAWAL_FAILED_TEXT)) return false
  void toast(answer.message, 'success')
  return true
}

/** An IBAN in groups of four, which begins with TR. */
function IbanField({ iban, onChange }: IbanFieldProps): ReactNode {
  const id = useId()
  const field = useFieldError<HTMLInputElement>(ibanError(iban))
  const edit = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>): void => {
    const caret = target.selectionEnd ?? target.value.length
    const edited = editIban({ previous: iban, text: target.value, caret, deleted: deletionOf(nativeEvent) })
    // At once: a text that is set later moves the caret to its end.
    target.value = formatIban(edited.iban)
    target.setSelectionRange(edited.caret, edited.caret)
    onChange(edited.iban)
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        IBAN
      </label>
      <input
        ref={field}
        id={id}
        className="field-input iban-input"
        required
        inputMode="numeric"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={formatIban(iban)}
        aria-describedby={`${id}-hint`}
        onChange={edit}
      />
      <span id={`${id}-hint`} className="field-hint">
        {IBAN_FORM_TEXT}
      </span>
    </div>
  )
}

/** An IBAN of TR alone is an empty field. */
function ibanError(iban: string): string | null {
  if (iban.length <= 2) return IBAN_MISSING_TEXT
  if (!hasIbanForm(iban)) return IBAN_FORM_TEXT
  return isIban(iban) ? null : WRONG_IBAN_TEXT
}

function deletionOf(event: Event): 'backward' | 'forward' | null {
  const { inputType } = event as InputEvent // of an input element
  if (inputType === 'deleteContentBackward') return 'backward'
  return inputType === 'deleteContentForward' ? 'forward' : null
}
