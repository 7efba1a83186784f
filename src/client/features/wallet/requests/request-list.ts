import type { EventName, EventPayload } from '../../../../shared/protocol/catalogue.ts'
import type { MoneyRequest } from '../../../../shared/wallet/requests/request.ts'
import type { EventHandlers } from '../../../core/live/event-handlers.ts'
import { signal } from '../../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../../core/ui/lists/paged-items.ts'

type RequestPage = PagedItems<MoneyRequest, string>

/** The events that carry a request. */
type RequestEventName = {
  [N in EventName]: EventPayload<N> extends MoneyRequest ? N : never
}[EventName]

/** The viewer's requests of one kind. */
export interface RequestSource {
  live: Pick<EventHandlers, 'on'>
  /** A page at a cursor, or the first one; an error text in Turkish when it failed. */
  fetchPage: (before: string | null) => Promise<RequestPage | string>
  /** Created, approved and rejected. */
  events: readonly RequestEventName[]
}

/** The viewer's requests, the latest first, as far as they are loaded, kept current by events. */
export class RequestList {
  /** null before the first load. */
  readonly list = signal<RequestPage | null>(null)
  private readonly fetchPage: RequestSource['fetchPage']
  /** All that events have brought: the answer of a request that was under way may be older. */
  private readonly changed = new Map<number, MoneyRequest>()
  private readonly stopListening: (() => void)[]

  constructor({ live, fetchPage, events }: RequestSource) {
    this.fetchPage = fetchPage
    this.stopListening = [
      ...events.map((name) => live.on(name, (request) => this.apply(request))),
      live.on('resync', () => void this.load(null)),
    ]
  }

  /** Loads the page at a cursor, or the first one. Returns an error text, or null. */
  async load(before: string | null): Promise<string | null> {
    const page = await this.fetchPage(before)
    if (typeof page === 'string') return page
    const merged = mergePage(this.list.peek(), before, page)
    this.list.value = [...this.changed.values()].reduce(withRequest, merged)
    return null
  }

  close(): void {
    for (const stop of this.stopListening) stop()
  }

  private apply(request: MoneyRequest): void {
    this.changed.set(request.id, request)
    this.list.value = withRequest(this.list.peek(), request)
  }
}

/** A request is decided once, so a decided one is never older. One beyond the loaded part comes with a later page. */
function withRequest(known: RequestPage | null, request: MoneyRequest): RequestPage | null {
  if (!known) return null
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
