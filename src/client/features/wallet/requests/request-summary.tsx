import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import { requestStatuses, requestStatusTexts } from '../../../../shared/wallet/request.ts'
import { requestKindLabels, SUMMARY_NOT_LOADED } from '../../../../shared/wallet/request-texts.ts'
import type { RequestTotal } from '../../../../shared/wallet/requests-protocol.ts'
import { dayOf, isDay, rangeOfDay } from '../../../../shared/wallet/turkish-day.ts'
import { live } from '../../../core/live/state.ts'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { dateText } from '../../../core/ui/format/turkish-time.ts'
import { ListFailure } from '../../../core/ui/lists/paged-list.tsx'
import { fetchSummary } from './reviews.ts'

/** How many requests were made on a day, and their sums, by kind and state. @param changeCount rises with each change */
export function RequestSummary({ changeCount }: { changeCount: number }): ReactNode {
  const titleId = useId()
  const today = dayOf(live.serverNow())
  const [day, setDay] = useState(today)
  const { totals, reload } = useTotals(day, changeCount)
  return (
    <section className="request-summary" aria-labelledby={titleId}>
      <header className="row wrap between">
        <div>
          <h3 id={titleId}>Günlük özet</h3>
          {/* The field writes the date in the language of the browser. */}
          <p className="soft small">{dateText(rangeOfDay(day).from)}</p>
        </div>
        <input
          type="date"
          className="field-input field-input--low request-day"
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
                  <span className="request-total">{totals ? formatLira(amount) : '...'}</span>
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
