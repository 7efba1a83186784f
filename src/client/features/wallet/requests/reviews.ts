import type { EventPayload } from '../../../../shared/protocol/catalogue.ts'
import type { RequestFilter, RequestTotal, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { REQUESTS_NOT_EXPORTED, REQUESTS_NOT_LOADED } from '../../../../shared/wallet/requests/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { isFailure } from '../../../core/http/is-failure.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { live } from '../../../core/live/state.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { signal } from '../../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../../core/ui/lists/paged-items.ts'
import { saveCsv } from '../statement/save-csv.ts'

type ReviewPage = PagedItems<ReviewedRequest, string>

type Decision = EventPayload<'requestDecided'>

/** A list of requests by a filter. */
export function createReviewList(filter: RequestFilter): ReviewList {
  return new ReviewList(filter, async (asked, before) => {
    const answer = await callApi<'moneyRequests'>(`/root-admin/requests${queryOf(asked, before)}`, { as: 'admin' })
    return isFailure(answer) ? null : { items: answer.requests, next: answer.next }
  })
}

/** Keeps a list current until the returned function is called. `onChange` is called after each change of the requests. */
export function watchRequests(list: ReviewList, onChange: () => void): () => void {
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

/** The requests of both kinds for root admins, by a filter, kept current by events. */
export class ReviewList {
  /** null before the first load. */
  readonly list = signal<ReviewPage | null>(null)
  private readonly filter: RequestFilter
  private readonly fetchPage: (filter: RequestFilter, before: string | null) => Promise<ReviewPage | null>
  /** A page that is on its way may be older. */
  private readonly decisions = new Map<number, Decision>()
  private refreshCount = 0

  /** @param fetchPage the page at a cursor, or the first one; null when it failed */
  constructor(
    filter: RequestFilter,
    fetchPage: (filter: RequestFilter, before: string | null) => Promise<ReviewPage | null>,
  ) {
    this.filter = filter
    this.fetchPage = fetchPage
  }

  /** Loads the page at a cursor, or the first one. Returns an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    const { refreshCount } = this
    const page = await this.fetchPage(this.filter, before)
    if (!page) return REQUESTS_NOT_LOADED
    // A request that came meanwhile may be missing.
    if (before === null && this.refreshCount !== refreshCount) return this.load(null)
    this.show(mergePage(this.list.peek(), before, page))
    return null
  }

  /** A request is new: loads the first page, and leaves the loaded ones behind it where they continue it. */
  async refresh(): Promise<void> {
    const turn = ++this.refreshCount
    if (!this.list.peek()) return
    const page = await this.fetchPage(this.filter, null)
    const known = this.list.peek()
    if (!page || !known || turn !== this.refreshCount) return
    const end = known.items.findIndex(({ id }) => id === page.items.at(-1)?.id)
    this.show(end < 0 ? page : { items: [...page.items, ...known.items.slice(end + 1)], next: known.next })
  }

  /** A request was decided: it shows its decision, or goes when other states are asked for. */
  decide(decision: Decision): void {
    this.decisions.set(decision.requestId, decision)
    this.show(this.list.peek())
  }

  private show(list: ReviewPage | null): void {
    if (!list) return
    const items = list.items.map((request) => withDecision(request, this.decisions.get(request.id)))
    const { status } = this.filter
    this.list.value = { ...list, items: items.filter((request) => status === undefined || request.status === status) }
  }
}

function withDecision(request: ReviewedRequest, decision: Decision | undefined): ReviewedRequest {
  if (!decision || request.status !== 'pending') return request
  const { status, decidedBy, decidedAt } = decision
  return { ...request, status, decidedBy, decidedAt }
}
