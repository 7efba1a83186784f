import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { StatementRow } from '../../../../shared/wallet/statement.ts'
import {
  EXPORT_CUT,
  EXPORT_LABEL,
  STATEMENT_EMPTY,
  STATEMENT_TITLE,
} from '../../../../shared/wallet/statement-texts.ts'
import { live } from '../../../core/live/state.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { clockTime, dateText } from '../../../core/ui/format/turkish-time.ts'
import { PagedList } from '../../../core/ui/lists/paged-list.tsx'
import './statement.later.css'
import { fetchStatement, saveStatement } from './statement-api.ts'
import { StatementList } from './statement-list.ts'

/** 'Hesap hareketleri': what was added to the viewer's balance and taken from it. */
export function StatementDialog({ onClose }: OverlayProps): ReactNode {
  const statement = useMemo(() => new StatementList(fetchStatement), [])
  const list = useSignalValue(statement.list, null)
  useReloading(statement)
  const [latest] = list?.items ?? []
  return (
    <Modal title={STATEMENT_TITLE} onClose={onClose} isFullScreen>
      <div className="statement">
        {latest && (
          <header className="statement-head">
            <p>
              Bakiye <b className="statement-balance">{formatLira(latest.balance)}</b>
            </p>
            <ExportButton />
          </header>
        )}
        <PagedList
          list={list}
          load={(before) => statement.load(before)}
          empty={STATEMENT_EMPTY}
          row={(row) => <Movement key={row.id} row={row} />}
          isEndless
        />
      </div>
    </Modal>
  )
}

/** Loads the latest rows with each change of the balance, and after a connection that was lost. */
function useReloading(statement: StatementList): void {
  useEffect(() => {
    const reload = () => void statement.load()
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
    <li className="movement">
      <span className="break">
        {description} <span className="faint small">#{referenceId}</span>
      </span>
      <span className={amount > 0 ? 'movement-amount good' : 'movement-amount'}>
        {amount > 0 ? '+' : '−'}
        {formatLira(Math.abs(amount))}
      </span>
      <time className="faint small" dateTime={new Date(createdAt).toISOString()}>
        {dateText(createdAt)}, {clockTime(createdAt)}
      </time>
      <span className="movement-balance">Bakiye {formatLira(balance)}</span>
    </li>
  )
}
