import { type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { USER_SEARCH_DEBOUNCE_MS } from '../../../../shared/presence/rules.ts'
import type { RequestFilter, RequestTotal } from '../../../../shared/wallet/requests/protocol.ts'
import { requestStatuses, requestStatusTexts } from '../../../../shared/wallet/requests/request.ts'
import {
  NO_REQUESTS_TEXT,
  REQUESTS_TITLE,
  requestKindLabels,
  SUMMARY_NOT_LOADED,
} from '../../../../shared/wallet/requests/texts.ts'
import { dayOf, isDay, rangeOfDay } from '../../../../shared/wallet/turkish-day.ts'
import { live } from '../../../core/live/state.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { Sheet } from '../../../core/ui/dialogs/sheet.tsx'
import { RadioList } from '../../../core/ui/forms/radio-list.tsx'
import { ListFailure, PagedList } from '../../../core/ui/lists/paged-list.tsx'
import { ReviewRow } from './review-row.tsx'
import { createReviewList, exportReviews, fetchSummary, watchReviews } from './reviews.ts'
import '../../../core/ui/forms/field.css'
import './reviews.lazy.css'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { dateText } from '../../../core/ui/format/turkish-time.ts'

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
    <search>
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
  useEffect(() => watchReviews(reviews, filter, live, onChange), [reviews, filter, onChange])
  return (
    <div>
      <PagedList
        list={reviews}
        empty={NO_REQUESTS_TEXT}
        isEndless
        row={(request) => <ReviewRow key={request.id} request={request} />}
      />
    </div>
  )
}

/** How many requests were made on a day, and their sums, by kind and state. @param changeCount rises with each change */
function RequestSummary({ changeCount }: { changeCount: number }): ReactNode {
  const titleId = useId()
  const today = dayOf(live.serverNow())
  const [day, setDay] = useState(today)
  const { totals, reload } = useTotals(day, changeCount)
  return (
    <section className="stack gap-3" aria-labelledby={titleId}>
      <header className="row wrap between">
        <div>
          <h3 id={titleId}>Günlük özet</h3>
          {/* The field writes the date in the language of the browser. */}
          <p className="soft small">{dateText(rangeOfDay(day).from)}</p>
        </div>
        <input
          type="date"
          className="field-input field-input--low"
          aria-label="Gün"
          value={day}
          max={today}
          onChange={({ target }) => isDay(target.value) && setDay(target.value)}
        />
      </header>
      {totals === 'failed' ? (
        <ListFailure reason={SUMMARY_NOT_LOADED} reload={reload} />
      ) : (
        <TotalsTable totals={totals} />
      )}
    </section>
  )
}

/** The sums of a day: null while they load, and after a change of the day. */
function useTotals(day: string, changeCount: number) {
  const [found, setFound] = useState<{ day: string; totals: RequestTotal[] | 'failed' } | null>(null)
  const [attempt, setAttempt] = useState(0)
  // Another one, and so another fetch, after each change of the requests and with each attempt.
  const asked = useMemo(() => ({ day, changeCount, attempt }), [day, changeCount, attempt])
  useEffect(() => {
    let isCurrent = true
    void fetchSummary(asked.day).then((totals) => isCurrent && setFound({ day: asked.day, totals: totals ?? 'failed' }))
    return () => {
      isCurrent = false
    }
  }, [asked])
  const reload = (): void => {
    setFound(null)
    setAttempt(attempt + 1)
  }
  return { totals: found?.day === day ? found.totals : null, reload }
}

/** @param totals null while they load */
function TotalsTable({ totals }: { totals: readonly RequestTotal[] | null }): ReactNode {
  const totalOf = (kind: string, status: string) =>
    totals?.find((total) => total.kind === kind && total.status === status) ?? { count: 0, amount: 0 }
  return (
    <table className="request-totals" aria-busy={totals === null}>
      <thead>
        <tr>
          <td />
          {requestStatuses.map((status) => (
            <th key={status} scope="col">
              {requestStatusTexts[status]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(['withdrawal', 'star'] as const).map((kind) => (
          <tr key={kind}>
            <th scope="row">{requestKindLabels[kind]}</th>
            {requestStatuses.map((status) => {
              const { count, amount } = totalOf(kind, status)
              return (
                <td key={status} data-empty={count === 0}>
                  <span>{totals ? formatLira(amount) : '...'}</span>
                  <span className="soft tiny">{totals ? `${countText(count)} talep` : '\u00a0'}</span>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
