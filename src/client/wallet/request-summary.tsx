import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { formatLira } from '../../shared/wallet/ledger.ts'
import { requestStatuses, requestStatusTexts } from '../../shared/wallet/request.ts'
import { requestKindLabels, SUMMARY_NOT_LOADED } from '../../shared/wallet/request-texts.ts'
import type { RequestTotal } from '../../shared/wallet/requests-protocol.ts'
import { dayOf, isDay } from '../../shared/wallet/turkish-day.ts'
import { live } from '../live/state.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { fetchSummary } from './reviews.ts'

/** How many requests were made on a day, and their sums, by kind and state. @param changeCount rises with each change */
export function RequestSummary({ changeCount }: { changeCount: number }): ReactNode {
  const titleId = useId()
  const today = dayOf(live.serverNow())
  const [day, setDay] = useState(today)
  const [totals, setTotals] = useState<RequestTotal[] | 'failed' | null>(null)
  // Another one, and so another fetch, after each change of the requests.
  const asked = useMemo(() => ({ day, changeCount }), [day, changeCount])
  useEffect(() => {
    let isCurrent = true
    void fetchSummary(asked.day).then((found) => isCurrent && setTotals(found ?? 'failed'))
    return () => {
      isCurrent = false
    }
  }, [asked])
  return (
    <section className="request-summary" aria-labelledby={titleId}>
      <header className="request-summary-head">
        <h3 id={titleId}>Günlük özet</h3>
        <input
          type="date"
          className="field-input request-day"
          aria-label="Gün"
          value={day}
          max={today}
          onChange={({ target }) => isDay(target.value) && setDay(target.value)}
        />
      </header>
      {totals === 'failed' ? <p role="alert">{SUMMARY_NOT_LOADED}</p> : <TotalsTable totals={totals ?? []} />}
    </section>
  )
}

function TotalsTable({ totals }: { totals: readonly RequestTotal[] }): ReactNode {
  const totalOf = (kind: string, status: string) =>
    totals.find((total) => total.kind === kind && total.status === status) ?? { count: 0, amount: 0 }
  return (
    <table className="request-totals">
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
                  <span className="request-total">{formatLira(amount)}</span>
                  <span className="request-count">{countText(count)} talep</span>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
