import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import { type MoneyRequest, type RequestKind, requestStatusTexts } from '../../../../shared/wallet/requests/request.ts'
import { WITHDRAWAL_TITLE } from '../../../../shared/wallet/withdrawals/texts.ts'
import { live } from '../../../core/live/state.ts'
import { type OverlayProps, openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { LiveList } from '../../../core/signals/live-list.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { clockTime, dateText } from '../../../core/ui/format/turkish-time.ts'
import { ListFailure, ListLoading } from '../../../core/ui/lists/paged-list.tsx'
import { ownRequests, type RequestList, watchRequests } from './request-list.ts'
import './requests.lazy.css'

interface RequestsDialogProps extends OverlayProps {
  kind: RequestKind
}

/** A table of the viewer's requests of one kind: 'Yüklemeler' or 'Ödemeler', there with the wizard for a new one. */
export function RequestsDialog({ kind, onClose }: RequestsDialogProps): ReactNode {
  const { title, empty, source, events } = ownRequests[kind]
  const requests = useMemo(() => new LiveList<MoneyRequest, string>(source), [source])
  useEffect(() => watchRequests(requests, live, events), [requests, events])
  const list = useSignalValue(requests.list, null)
  const { failure, isLoading, load } = usePages(requests)
  return (
    <Modal title={title} isFullScreen onClose={onClose}>
      {kind === 'withdrawal' && (
        <button
          type="button"
          className="button button--accent wide mb-4"
          aria-haspopup="dialog"
          onClick={() => void openOverlay('withdrawalWizard', {})}
        >
          {WITHDRAWAL_TITLE}
        </button>
      )}
      {list && list.items.length > 0 && <RequestTable title={title} requests={list.items} />}
      {list?.items.length === 0 && <p className="list-note">{empty}</p>}
      {!list && !failure && <ListLoading />}
      {failure && <ListFailure reason={failure} reload={() => void load(list?.next ?? null)} />}
      {list?.next && !failure && (
        <button
          type="button"
          className="button wide mt-3"
          aria-disabled={isLoading}
          onClick={() => void load(list.next)}
        >
          {isLoading && <span className="spinner" aria-hidden="true" />}
          Daha fazla
        </button>
      )}
    </Modal>
  )
}

function usePages(requests: RequestList) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const load = useCallback(
    async (before: string | null): Promise<void> => {
      setFailure(null)
      setLoading(true)
      setFailure(await requests.load(before))
      setLoading(false)
    },
    [requests],
  )
  useEffect(() => void load(null), [load])
  return { failure, isLoading, load }
}

function RequestTable({ title, requests }: { title: string; requests: readonly MoneyRequest[] }): ReactNode {
  return (
    <table className="requests" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">No</th>
          <th scope="col">Tarih</th>
          <th scope="col">Tutar</th>
          <th scope="col">Durum</th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({ id, createdAt, amount, status }) => (
          <tr key={id}>
            <td>#{id}</td>
            <td>
              <time dateTime={new Date(createdAt).toISOString()}>
                {dateText(createdAt)} <span>{clockTime(createdAt)}</span>
              </time>
            </td>
            <td>{formatLira(amount)}</td>
            <td>
              <RequestState status={status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** 'Bekliyor', 'Onaylandı' or 'Reddedildi'. */
export function RequestState({ status }: Pick<MoneyRequest, 'status'>): ReactNode {
  return <span className={`tag ${statusTags[status]}`}>{requestStatusTexts[status]}</span>
}

const statusTags: Record<MoneyRequest['status'], string> = {
  pending: '',
  approved: 'tag--good',
  rejected: 'tag--danger',
}
