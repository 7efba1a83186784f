import type { EventName, EventPayload } from '../../../../shared/protocol/catalogue.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import type { MoneyRequest, RequestKind } from '../../../../shared/wallet/requests/request.ts'
import { TOP_UPS_NOT_LOADED, TOP_UPS_TITLE } from '../../../../shared/wallet/top-ups/texts.ts'
import { WITHDRAWALS_NOT_LOADED, WITHDRAWALS_TITLE } from '../../../../shared/wallet/withdrawals/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import type { EventHandlers } from '../../../core/live/event-handlers.ts'
import type { LiveList, LiveListSource, PagedItems } from '../../../core/signals/live-list.ts'
import { LIST_NOT_LOADED } from '../../../core/ui/lists/paged-list.tsx'

type RequestPage = PagedItems<MoneyRequest, string>

/** The viewer's requests of one kind, the latest first. */
export type RequestList = LiveList<MoneyRequest, string>
type RequestSource = LiveListSource<RequestPage, string>

/** The events that carry a request. */
type RequestEventName = {
  [N in EventName]: EventPayload<N> extends MoneyRequest ? N : never
}[EventName]

interface OwnRequests {
  title: string
  /** The text of an empty table. */
  empty: string
  source: RequestSource
  /** Created, approved and rejected. */
  events: readonly RequestEventName[]
}

export const ownRequests: Record<RequestKind, OwnRequests> = {
  star: {
    title: TOP_UPS_TITLE,
    empty: 'Henüz yükleme talebin yok.',
    source: {
      failureText: (failure) => failureText(failure, TOP_UPS_NOT_LOADED),
      fetchPage: async (before) => {
        const answer = await callApi<'ownStarRequests'>(`/star-requests/user${pageQuery(before)}`, { as: 'user' })
        return isFailure(answer) ? answer : { items: answer.starRequests, next: answer.next }
      },
    },
    events: ['starRequestCreated', 'starRequestApproved', 'starRequestRejected'],
  },
  withdrawal: {
    title: WITHDRAWALS_TITLE,
    empty: 'Henüz ödeme talebin yok.',
    source: {
      failureText: () => LIST_NOT_LOADED,
      fetchPage: async (before) => {
        const path = `/withdrawal-requests/user${pageQuery(before)}`
        const answer = await callApi<'ownWithdrawalRequests'>(path, { as: 'user' })
        if (toastIfFailed(answer, WITHDRAWALS_NOT_LOADED)) return answer
        return { items: answer.withdrawalRequests, next: answer.next }
      },
    },
    events: ['withdrawalRequestCreated', 'withdrawalRequestApproved', 'withdrawalRequestRejected'],
  },
}

/** Keeps a list current until the returned function is called. The events: created, approved and rejected. */
export function watchRequests(
  list: RequestList,
  live: Pick<EventHandlers, 'on'>,
  events: readonly RequestEventName[],
): () => void {
  const ends = [
    ...events.map((name) => live.on(name, (request, seq) => list.change((known) => withRequest(known, request), seq))),
    live.on('resync', () => void list.reload()),
  ]
  return () => ends.forEach((end) => void end())
}

/** A request is decided once, so a decided one is never older. One beyond the loaded part comes with a later page. */
function withRequest(known: RequestPage, request: MoneyRequest): RequestPage {
  const same = known.items.find(({ id }) => id === request.id)
  if (same && same.status !== 'pending') return known
  const others = known.items.filter(({ id }) => id !== request.id)
  const last = others.at(-1)
  if (!same && known.next !== null && last && isBefore(request, last)) return known
  const index = others.findIndex((other) => isBefore(other, request))
  return { ...known, items: others.toSpliced(index < 0 ? others.length : index, 0, request) }
}

function isBefore(a: MoneyRequest, b: MoneyRequest): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)
}
