import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import { signal } from '../signals/signal.ts'

/** Earlier changes are in every page: a region lags behind by seconds. */
const MAX_CHANGES = 200

/** The loaded part of a list, or one of its pages. */
export interface PagedItems<Item, Cursor> {
  items: readonly Item[]
  /** The cursor of the next page; null at the end. */
  next: Cursor | null
  /** Events up to this number are in it. Without it, an answer is as new as its request. */
  cursor?: number
}

export interface LiveListSource<List, Cursor> {
  /** Fetches the page at a cursor, or the first one. */
  fetchPage: (from: Cursor | null) => Promise<Result<List>>
  /** Why a load failed, in Turkish. */
  failureText: (failure: Refusal | string) => string
  /** How many of the loaded pages `reload` loads again; by default the first one. */
  reloadedPages?: number
  /** The first load is the only one: the list is kept current while nothing shows it. */
  isLoadedOnce?: boolean
}

/**
 * A list that is loaded by pages and kept current by events. A page that is under way may be older than an event, so the
 * changes that it lacks are applied to it again: a change gives the same list when it is applied twice, in order.
 * `List` may have more than items, as the first page says it.
 */
export class LiveList<
  Item extends { id: number },
  Cursor,
  List extends PagedItems<Item, Cursor> = PagedItems<Item, Cursor>,
> {
  /** null before the first load. */
  readonly list = signal<List | null>(null)
  private readonly source: LiveListSource<List, Cursor>
  private changes: { apply: Change<List>; seq: number | null; at: number }[] = []
  /** Counts the changes, to order them and the requests. */
  private changeCount = 0
  private pendingLoads = 0
  private firstLoad: Promise<string | null> | null = null
  private isOutdated = false
  private firstLoadKind: FirstLoadKind = 'replace'
  /** Rises with `reset`: pages that are under way then are of the earlier list. */
  private turn = 0

  constructor(source: LiveListSource<List, Cursor>) {
    this.source = source
  }

  /** Loads the first page (null) in place of the list, or the page at a cursor. Returns an error text in Turkish, or null. */
  async load(from: Cursor | null): Promise<string | null> {
    if (from !== null) return this.loadNext(from)
    return this.source.isLoadedOnce && this.list.peek() ? null : this.loadFirst('replace')
  }

  /**
   * New rows may have come first: loads the first page again, and keeps the rows behind it where it reaches them. A load
   * that is under way is followed by another one. Returns an error text, or null; the list stays where it fails.
   */
  refresh(): Promise<string | null> {
    return this.loadAgain('keepRest')
  }

  /** Rows may have changed anywhere, as after missed events: loads again what is loaded. As `refresh` otherwise. */
  reload(): Promise<string | null> {
    return this.loadAgain('repeat')
  }

  /** Applies what an event says (`seq` its number), or what this tab did by itself. */
  change(apply: Change<List>, seq: number | null = null): void {
    if (this.pendingLoads === 0) this.changes = this.changes.slice(-MAX_CHANGES)
    this.changes.push({ apply, seq, at: ++this.changeCount })
    const list = this.list.peek()
    if (list) this.list.value = apply(list)
  }

  /** Removes the rows that match. */
  remove(matches: (item: Item) => boolean): void {
    this.change((list) => ({ ...list, items: list.items.filter((item) => !matches(item)) }))
  }

  /** Shows another list, by default none. Pages that are under way are ignored. */
  reset(list: List | null = null): void {
    this.turn++
    this.firstLoad = null
    this.changes = []
    this.list.value = list
  }

  private async loadAgain(kind: FirstLoadKind): Promise<string | null> {
    if (!this.firstLoad) return this.list.peek() && this.loadFirst(kind)
    this.isOutdated = true
    if (kind === 'repeat') this.firstLoadKind = kind
    return this.firstLoad
  }

  private loadFirst(kind: FirstLoadKind): Promise<string | null> {
    if (this.firstLoad) return this.firstLoad
    this.firstLoadKind = kind
    this.firstLoad = this.loadUntilCurrent()
    return this.firstLoad
  }

  private async loadUntilCurrent(): Promise<string | null> {
    const { turn } = this
    let failure: string | null
    do {
      this.isOutdated = false
      failure = await this.loadOnce(this.firstLoadKind)
      if (turn !== this.turn) return null
    } while (this.isOutdated && failure === null)
    this.firstLoad = null
    return failure
  }

  private async loadOnce(kind: FirstLoadKind): Promise<string | null> {
    const { turn, changeCount: requestedAt } = this
    const wanted = this.list.peek()?.items.length ?? 0
    const maxPages = kind === 'repeat' ? (this.source.reloadedPages ?? 1) : 1
    let loaded = await this.fetchPage(null)
    for (let pages = 1; pages < maxPages && !isFailure(loaded); pages++) {
      if (loaded.next === null || loaded.items.length >= wanted || turn !== this.turn) break
      const page = await this.fetchPage(loaded.next)
      loaded = isFailure(page) ? page : appended(loaded, page)
    }
    if (turn !== this.turn) return null
    if (isFailure(loaded)) return this.source.failureText(loaded)
    this.show(kind === 'keepRest' ? withRest(loaded, this.list.peek()) : loaded, loaded.cursor, requestedAt)
    return null
  }

  private async loadNext(from: Cursor): Promise<string | null> {
    const { turn, changeCount: requestedAt } = this
    const page = await this.fetchPage(from)
    if (turn !== this.turn) return null
    if (isFailure(page)) return this.source.failureText(page)
    const known = this.list.peek()
    // Else it was requested twice, or the list was loaded again meanwhile.
    if (known?.next === from) this.show(appended(known, page), page.cursor, requestedAt)
    return null
  }

  private async fetchPage(from: Cursor | null): Promise<Result<List>> {
    this.pendingLoads++
    const page = await this.source.fetchPage(from)
    this.pendingLoads--
    return page
  }

  /** Shows a list with the changes that its latest page lacks. What this tab did before it requested the page is in it. */
  private show(list: List, cursor: number | undefined, requestedAt: number): void {
    const missing = this.changes.filter(({ seq, at }) =>
      seq === null || cursor === undefined ? at > requestedAt : seq > cursor,
    )
    this.list.value = missing.reduce((changed, { apply }) => apply(changed), list)
  }
}

type Change<List> = (list: List) => List

/** What a load of the first page does: puts it in place of the list, keeps the rows behind it, or loads the later pages again too. */
type FirstLoadKind = 'replace' | 'keepRest' | 'repeat'

/** Its cursor is the earlier one: both pages have the events up to it. */
function appended<List extends PagedItems<{ id: number }, unknown>>(known: List, page: List): List {
  const list = { ...known, items: unique([...known.items, ...page.items]), next: page.next }
  const isOlder = page.cursor !== undefined && known.cursor !== undefined && page.cursor < known.cursor
  return isOlder ? { ...list, cursor: page.cursor } : list
}

/** The rows that are known behind those that were fetched again, where these reach them. */
function withRest<List extends PagedItems<{ id: number }, unknown>>(loaded: List, known: List | null): List {
  const last = loaded.items.at(-1)
  const end = known && last ? known.items.findIndex(({ id }) => id === last.id) : -1
  if (!known || end < 0 || loaded.next === null) return loaded
  return { ...loaded, items: unique([...loaded.items, ...known.items.slice(end + 1)]), next: known.next }
}

/** A row whose place has changed may come again with a later page. */
function unique<Item extends { id: number }>(items: readonly Item[]): Item[] {
  const seen = new Set<number>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}
