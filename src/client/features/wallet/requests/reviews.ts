import { REQUESTS_NOT_EXPORTED } from '../../../../shared/wallet/request-texts.ts'
import type { RequestFilter, RequestTotal } from '../../../../shared/wallet/requests-protocol.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { isFailure } from '../../../core/http/is-failure.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { live } from '../../../core/live/state.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { saveCsv } from '../statement/save-csv.ts'
import { ReviewList } from './review-list.ts'

/** A list of requests by a filter. */
export function createReviewList(filter: RequestFilter): ReviewList {
  return new ReviewList(filter, async (asked, before) => {
    const answer = await callApi<'moneyRequests'>(`/root-admin/requests${queryOf(asked, before)}`, { as: 'admin' })
    return isFailure(answer) ? null : { items: answer.requests, next: answer.next }
  })
}

/** Keeps a list current until the returned function is called. `onChange` is called after each change of the requests. */
export function followRequests(list: ReviewList, onChange: () => void): () => void {
  const refresh = (): void => {
    void list.refresh()
    onChange()
  }
  const ends = [
    live.on('newWithdrawalRequest', refresh),
    live.on('newStarRequest', refresh),
    live.on('resync', refresh),
    live.on('requestDecided', (decision) => {
      list.decide(decision)
      onChange()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** The sums of a day; null when it failed. */
export async function fetchSummary(day: string): Promise<RequestTotal[] | null> {
  const answer = await callApi<'requestSummary'>(`/root-admin/requests/summary?day=${day}`, { as: 'admin' })
  return isFailure(answer) ? null : answer.totals
}

/** Saves the requests of a filter as a file. A failure is shown in a toast, and so is a file that is cut. */
export async function exportReviews(filter: RequestFilter, fileName: string): Promise<void> {
  const answer = await callApi<'exportRequests'>(`/root-admin/requests/export${queryOf(filter, null)}`, { as: 'admin' })
  if (toastIfFailed(answer, REQUESTS_NOT_EXPORTED)) return
  saveCsv([answer.csv], fileName)
  if (answer.isCut) void toast(`Dosyada en yeni ${answer.count} talep var; daha eskileri sığmadı.`, 'info')
}

function queryOf({ kind, status, search }: RequestFilter, before: string | null): string {
  const query = new URLSearchParams({
    ...(kind && { kind }),
    ...(status && { status }),
    ...(search && { search }),
    ...(before !== null && { before }),
  })
  return query.size > 0 ? `?${query}` : ''
}
