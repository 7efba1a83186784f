import { signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

type LivePage<T> = PagedItems<T, number>

/** A paged list of rows by id that is fetched again when an event says that it has changed. */
export class LiveList<T extends { id: number }> {
  /** null before the first load. */
  readonly list = signal<LivePage<T> | null>(null)
  private readonly fetchPage: (from: number | null) => Promise<LivePage<T> | null>
  private readonly failure: string
  private isRefreshing = false
  private isOutdated = false

  /**
   * @param fetchPage the page at a cursor, or the first one; null when it failed
   * @param failure the Turkish text of a failure
   */
  constructor(fetchPage: (from: number | null) => Promise<LivePage<T> | null>, failure: string) {
    this.fetchPage = fetchPage
    this.failure = failure
  }

  /** Loads the first page (null) or the page at a cursor. Returns an error text in Turkish, or null. */
  readonly load = async (from: number | null): Promise<string | null> => {
    const page = await this.fetchPage(from)
    if (!page) return this.failure
    this.list.value = mergePage(this.list.peek(), from, page)
    return null
  }

  /** Fetches the first page again; the rows after it stay. Changes that come meanwhile are fetched once more. */
  async refresh(): Promise<void> {
    this.isOutdated = true
    if (this.isRefreshing || !this.list.peek()) return
    this.isRefreshing = true
    while (this.isOutdated) {
      this.isOutdated = false
      const page = await this.fetchPage(null)
      if (page) this.list.value = this.withLaterRows(page)
    }
    this.isRefreshing = false
  }

  remove(id: number): void {
    const known = this.list.peek()
    if (known) this.list.value = { ...known, items: known.items.filter((item) => item.id !== id) }
  }

  private withLaterRows(page: LivePage<T>): LivePage<T> {
    const known = this.list.peek()
    const last = page.items.at(-1)
    if (!known || !last || page.next === null) return page
    const isDescending = (page.items[0]?.id ?? 0) > last.id
    const later = known.items.filter(({ id }) => (isDescending ? id < last.id : id > last.id))
    return later.length === 0 ? page : { items: [...page.items, ...later], next: known.next }
  }
}
