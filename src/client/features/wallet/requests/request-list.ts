import type { EventName, EventPayload } from '../../../../shared/protocol/catalogue.ts'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import type { EventHandlers } from '../../../core/live/event-handlers.ts'
import type { LiveList, LiveListSource, PagedItems } from '../../../core/signals/live-list.ts'

type RequestPage = PagedItems<MoneyRequest, string>

/** The viewer's requests of one kind, the latest first. */
export type RequestList = LiveList<MoneyRequest, string>
export type RequestSource = LiveListSource<RequestPage, string>

/** The events that carry a request. */
export type RequestEventName = {
  [N in EventName]: EventPayload<N> extends MoneyRequest ? N : never
}[EventName]

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
