import { type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { USER_SEARCH_DEBOUNCE_MS } from '../../../../shared/presence/rules.ts'
import { requestStatusTexts } from '../../../../shared/wallet/request.ts'
import { NO_REQUESTS_TEXT, REQUESTS_TITLE, requestKindLabels } from '../../../../shared/wallet/request-texts.ts'
import type { RequestFilter } from '../../../../shared/wallet/requests-protocol.ts'
import { dayOf } from '../../../../shared/wallet/turkish-day.ts'
import { live } from '../../../core/live/state.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { Sheet } from '../../../core/ui/dialogs/sheet.tsx'
import { RadioList } from '../../../core/ui/forms/radio-list.tsx'
import { PagedList } from '../../../core/ui/lists/paged-list.tsx'
import { RequestSummary } from './request-summary.tsx'
import { ReviewRow } from './review-row.tsx'
import { createReviewList, exportReviews, followRequests } from './reviews.ts'
import '../../../core/ui/forms/field.css'
import './reviews.later.css'

const ALL = { value: 'all', label: 'Tümü' } as const
const kinds = [
  ALL,
  { value: 'withdrawal', label: requestKindLabels.withdrawal },
  { value: 'star', label: requestKindLabels.star },
] as const
const statuses = [
  { value: 'pending', label: requestStatusTexts.pending },
  { value: 'approved', label: requestStatusTexts.approved },
  { value: 'rejected', label: requestStatusTexts.rejected },
  ALL,
] as const

interface Choice {
  kind: (typeof kinds)[number]['value']
  status: (typeof statuses)[number]['value']
  search: string
}

interface RequestsScreenProps extends OverlayProps {
  /** A part of the person's name, to begin with. */
  search?: string
  /** The state of the requests to begin with. */
  status?: Choice['status']
}

/** 'Talepler', for root admins: requests for payments and balance loads, with the sums of a day and an export. */
export function RequestsScreen({ search = '', status = 'pending', onClose }: RequestsScreenProps): ReactNode {
  const titleId = useId()
  const [choice, choose] = useState<Choice>({ kind: 'all', status, search })
  const [changeCount, setChangeCount] = useState(0)
  const countChange = useCallback(() => setChangeCount((count) => count + 1), [])
  const filter = useMemo(() => toFilter(choice), [choice])
  return (
    <Sheet title={REQUESTS_TITLE} titleId={titleId} side="whole" onClose={onClose}>
      <div className="panel-scroll">
        <div className="requests-screen">
          <RequestSummary changeCount={changeCount} />
          <FilterBar choice={choice} onChoose={choose} filter={filter} />
          <Requests key={JSON.stringify(filter)} filter={filter} onChange={countChange} />
        </div>
      </div>
    </Sheet>
  )
}

function toFilter({ kind, status, search }: Choice): RequestFilter {
  return {
    ...(kind !== 'all' && { kind }),
    ...(status !== 'all' && { status }),
    ...(search.trim() !== '' && { search: search.trim() }),
  }
}

interface FilterBarProps {
  choice: Choice
  filter: RequestFilter
  onChoose: (choice: Choice) => void
}

function FilterBar({ choice, filter, onChoose }: FilterBarProps): ReactNode {
  const [text, setText] = useState(choice.search)
  useEffect(() => {
    if (text === choice.search) return
    const timer = setTimeout(() => onChoose({ ...choice, search: text }), USER_SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, choice, onChoose])
  return (
    <search className="request-filter">
      <input
        type="search"
        className="field-input"
        value={text}
        maxLength={64}
        placeholder="Kullanıcı ara..."
        aria-label="Kullanıcı ara"
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <RadioList
        legend="Durum"
        options={statuses}
        value={choice.status}
        onChange={(status) => onChoose({ ...choice, status })}
      />
      <RadioList legend="Tür" options={kinds} value={choice.kind} onChange={(kind) => onChoose({ ...choice, kind })} />
      <ExportButton filter={filter} />
    </search>
  )
}

function ExportButton({ filter }: { filter: RequestFilter }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await exportReviews(filter, `talepler-${dayOf(live.serverNow())}.csv`)
    setBusy(false)
  }
  return (
    <button type="button" className="button" aria-disabled={isBusy} onClick={() => void save()}>
      {isBusy && <span className="spinner" aria-hidden="true" />}
      CSV indir
    </button>
  )
}

/** @param onChange always the same function */
function Requests({ filter, onChange }: { filter: RequestFilter; onChange: () => void }): ReactNode {
  const reviews = useMemo(() => createReviewList(filter), [filter])
  const list = useSignalValue(reviews.list, null)
  useEffect(() => followRequests(reviews, onChange), [reviews, onChange])
  return (
    <div className="reviews">
      <PagedList
        list={list}
        load={(before) => reviews.load(before)}
        empty={NO_REQUESTS_TEXT}
        isEndless
        row={(request) => <ReviewRow key={request.id} request={request} />}
      />
    </div>
  )
}
