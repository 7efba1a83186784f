import type { ReactNode } from 'react'
import { formatIban } from '../../../../shared/wallet/iban.ts'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { BankDetails, StarOption } from '../../../../shared/wallet/options-protocol.ts'
import { STAR_OPTION_GONE_TEXT } from '../../../../shared/wallet/star-texts.ts'
import { copyText } from '../../../core/shell/copy-text.ts'
import { ListFailure, ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import { CopyIcon } from '../../../core/ui/person/icons.tsx'
import { OPTIONS_NOT_LOADED_TEXT } from '../../../model/wallet/texts.ts'
import '../../../model/wallet/wallet.later.css'

interface LoadSummaryProps {
  /** null: it is gone. */
  option: StarOption | null
  bank: { value: { bank: BankDetails | null } | undefined; isFailed: boolean; reload: () => void }
}

/** The amount and the account to which it is sent, each with a copy button. */
export function LoadSummary({ option, bank: { value, isFailed, reload } }: LoadSummaryProps): ReactNode {
  if (isFailed && !value) return <ListFailure reason={OPTIONS_NOT_LOADED_TEXT} reload={reload} />
  if (!value) return <ListLoading />
  if (!option) return <p className="wallet-notice">{STAR_OPTION_GONE_TEXT}</p>
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
