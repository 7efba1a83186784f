import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { StatementRow } from '../../../../shared/wallet/statement/statement.ts'
import {
  EXPORT_CUT,
  EXPORT_FAILED,
  EXPORT_LABEL,
  STATEMENT_EMPTY,
  STATEMENT_FILE_NAME,
  STATEMENT_NOT_LOADED,
  STATEMENT_TITLE,
} from '../../../../shared/wallet/statement/texts.ts'
import { live } from '../../../core/live/state.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { LiveList } from '../../../core/signals/live-list.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { clockTime, dateText } from '../../../core/ui/format/turkish-time.ts'
import { PagedList } from '../../../core/ui/lists/paged-list.tsx'
import './statement.lazy.css'
import type { LedgerTransactionId } from '../../../../shared/protocol/ids.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { saveCsv } from './save-csv.ts'

type Statement = LiveList<StatementRow, LedgerTransactionId>

/** Parts of one exported file; a longer statement is cut. */
const MAX_PARTS = 50

/** 'Hesap hareketleri': what was added to the viewer's balance and taken from it. */
export function StatementDialog({ onClose }: OverlayProps): ReactNode {
  const statement = useMemo(createStatement, [])
  const list = useSignalValue(statement.list, null)
  useReloading(statement)
  const [latest] = list?.items ?? []
  return (
    <Modal title={STATEMENT_TITLE} onClose={onClose} isFullScreen>
      <div className="statement">
        {latest && (
          <header>
            <p>
              Bakiye <b>{formatLira(latest.balance)}</b>
            </p>
            <ExportButton />
          </header>
        )}
        <PagedList
          list={statement}
          empty={STATEMENT_EMPTY}
          row={(row) => <Movement key={row.id} row={row} />}
          isEndless
        />
      </div>
    </Modal>
  )
}

/** Loads the latest rows with each change of the balance, and after a connection that was lost. */
function useReloading(statement: Statement): void {
  useEffect(() => {
    const reload = () => void statement.refresh()
    const unsubscribe = live.on('balanceUpdated', reload)
    addEventListener('meydan:connected', reload)
    return () => {
      unsubscribe()
      removeEventListener('meydan:connected', reload)
    }
  }, [statement])
}

function ExportButton(): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    const saved = await saveStatement()
    setBusy(false)
    if (typeof saved === 'string') void toast(saved, 'error')
    else if (saved.isCut) void toast(EXPORT_CUT, 'info')
  }
  return (
    <button type="button" className="button button--compact" aria-disabled={isBusy} onClick={() => void save()}>
      {isBusy && <span className="spinner" aria-hidden="true" />}
      {EXPORT_LABEL}
    </button>
  )
}

function Movement({ row: { description, referenceId, amount, balance, createdAt } }: { row: StatementRow }): ReactNode {
  return (
    <li>
      <span className="break">
        {description} <span className="faint small">#{referenceId}</span>
      </span>
      <span className={amount > 0 ? 'good semibold' : 'semibold'}>
        {amount > 0 ? '+' : '−'}
        {formatLira(Math.abs(amount))}
      </span>
      <time className="faint small" dateTime={new Date(createdAt).toISOString()}>
        {dateText(createdAt)}, {clockTime(createdAt)}
      </time>
      <span className="faint small">Bakiye {formatLira(balance)}</span>
    </li>
  )
}

/** The viewer's movements, the latest first. */
function createStatement(): Statement {
  return new LiveList<StatementRow, LedgerTransactionId>({
    failureText: (failure) => failureText(failure, STATEMENT_NOT_LOADED),
    fetchPage: async (before) => {
      const answer = await callApi<'statement'>(`/users/balance/statement${pageQuery(before)}`, { as: 'user' })
      return isFailure(answer) ? answer : { items: answer.rows, next: answer.next }
    },
  })
}

/** Saves the viewer's statement as a file. Returns an error text in Turkish, or whether the file is cut. */
async function saveStatement(): Promise<string | { isCut: boolean }> {
  const parts: string[] = []
  let before: LedgerTransactionId | null = null
  do {
    const answer = await fetchPart(before)
    if (isFailure(answer)) return failureText(answer, EXPORT_FAILED)
    parts.push(answer.csv)
    before = answer.next
  } while (before !== null && parts.length < MAX_PARTS)
  saveCsv(parts, STATEMENT_FILE_NAME)
  return { isCut: before !== null }
}

function fetchPart(before: LedgerTransactionId | null) {
  return callApi<'exportStatement'>(`/users/balance/statement/csv${pageQuery(before)}`, { as: 'user' })
}
