import type { EventPayload } from '../../../../shared/protocol/catalogue.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import type { RequestFilter, RequestTotal, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { REQUESTS_NOT_EXPORTED, REQUESTS_NOT_LOADED } from '../../../../shared/wallet/requests/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import type { EventHandlers } from '../../../core/live/event-handlers.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { LiveList, type PagedItems } from '../../../core/signals/live-list.ts'
import { saveCsv } from '../statement/save-csv.ts'

type ReviewList = LiveList<ReviewedRequest, string>

type Decision = EventPayload<'requestDecided'>

/** The requests of both kinds for root admins, by a filter. */
export function createReviewList(filter: RequestFilter): ReviewList {
  return new LiveList<ReviewedRequest, string>({
    failureText: () => REQUESTS_NOT_LOADED,
    fetchPage: async (before) => {
      const answer = await callApi<'moneyRequests'>(`/root-admin/requests${queryOf(filter, before)}`, { as: 'admin' })
      return isFailure(answer) ? answer : { items: answer.requests, next: answer.next }
    },
  })
}

/** Keeps a list current until the returned function is called. `onChange` is called after each change of the requests. */
export function watchReviews(
  list: ReviewList,
  { status }: RequestFilter,
  live: Pick<EventHandlers, 'on'>,
  onChange: () => void,
): () => void {
  const refresh = (): void => {
    void list.refresh()
    onChange()
  }
  const ends = [
    live.on('newWithdrawalRequest', refresh),
    live.on('newStarRequest', refresh),
    live.on('resync', () => {
      void list.reload()
      onChange()
    }),
    live.on('requestDecided', (decision, seq) => {
      list.change((known) => withDecision(known, decision, status), seq)
      onChange()
    }),
  ]
  return () => ends.forEach((end) => void end())
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

/** A decided request shows its decision, or goes when another state is asked for. */
function withDecision(
  list: PagedItems<ReviewedRequest, string>,
  { requestId, status, decidedBy, decidedAt }: Decision,
  asked: RequestFilter['status'],
): PagedItems<ReviewedRequest, string> {
  const items = list.items.map((request) =>
    request.id === requestId && request.status === 'pending' ? { ...request, status, decidedBy, decidedAt } : request,
  )
  return { ...list, items: items.filter((request) => asked === undefined || request.status === asked) }
}
