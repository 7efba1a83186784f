import type { UserId } from '../../../shared/protocol/ids.ts'
import type { ReportGroup } from '../../../shared/reports/report.ts'
import { REPORTS_NOT_LOADED } from '../../../shared/reports/screen-texts.ts'
import { signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

export type GroupPage = PagedItems<ReportGroup, string>

/** The page at a cursor, or the first one; null when it failed. */
type FetchGroups = (before: string | null) => Promise<GroupPage | null>

/**
 * The reported users, in the order of the server. Changes are shown where a user is; new users wait until `showWaiting`, so
 * that nothing moves under the finger.
 */
export class ReportQueue {
  /** null before the first load. */
  readonly list = signal<GroupPage | null>(null)
  /** How many users of the first page the list lacks. */
  readonly waitingCount = signal(0)
  private waiting: GroupPage | null = null
  private readonly fetchPage: FetchGroups
  private readonly isListed: (group: Pick<ReportGroup, 'openCount'>) => boolean
  /** By the events since the list was loaded: a page that is on its way may be older. */
  private readonly openCounts = new Map<UserId, number>()
  private isRefreshing = false
  private isOutdated = false
  /** Rises with `restart`: pages that are on their way are of the earlier list. */
  private turn = 0

  /** @param isListed whether a user stays in the list after a change */
  constructor(fetchPage: FetchGroups, isListed: (group: Pick<ReportGroup, 'openCount'>) => boolean) {
    this.fetchPage = fetchPage
    this.isListed = isListed
  }

  /** Loads the page at a cursor, or the first one. Returns an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    const { turn } = this
    const page = await this.fetchPage(before)
    if (turn !== this.turn) return null
    if (!page) return REPORTS_NOT_LOADED
    if (before === null) this.setWaiting(null)
    this.list.value = mergePage(this.list.peek(), before, this.withEvents(page))
    return null
  }

  /** Forgets the list, as before the first load: other users are asked for from now on. */
  restart(): void {
    this.turn++
    this.list.value = null
    this.setWaiting(null)
  }

  /** Fetches the first page again; changes that come meanwhile are fetched once more after it. */
  async refresh(): Promise<void> {
    this.isOutdated = true
    if (this.isRefreshing || !this.list.peek()) return
    this.isRefreshing = true
    while (this.isOutdated) {
      this.isOutdated = false
      const { turn } = this
      const page = await this.fetchPage(null)
      if (page && turn === this.turn) this.apply(this.withEvents(page))
    }
    this.isRefreshing = false
  }

  /** Applies what an event says: users without open reports leave the list of open ones at once. */
  applyChange({ userId, openCount }: { userId: UserId; openCount: number }): void {
    this.openCounts.set(userId, openCount)
    const known = this.list.peek()
    if (known) this.list.value = this.withEvents(known)
    void this.refresh()
  }

  /** Events were missed: only a page of the server says what is open. */
  applyResync(): void {
    this.openCounts.clear()
    void this.refresh()
  }

  /** Shows the users that wait, in the order of the server. */
  showWaiting(): void {
    if (!this.waiting) return
    this.list.value = this.withEvents(this.waiting)
    this.setWaiting(null)
  }

  private apply(page: GroupPage): void {
    const known = this.list.peek()
    if (!known) return
    const fresh = new Map(page.items.map((group) => [group.user.id, group]))
    const knownIds = new Set(known.items.map(({ user }) => user.id))
    const newCount = page.items.filter(({ user }) => !knownIds.has(user.id)).length
    if (known.items.length === 0) this.list.value = page
    else {
      // Where the page is the whole list, users that it lacks are gone.
      const items = known.items.flatMap((group) => fresh.get(group.user.id) ?? (page.next === null ? [] : group))
      this.list.value = { ...known, items }
    }
    this.setWaiting(known.items.length > 0 && newCount > 0 ? page : null, newCount)
  }

  private setWaiting(page: GroupPage | null, count = 0): void {
    this.waiting = page
    this.waitingCount.value = page ? count : 0
  }

  private withEvents(page: GroupPage): GroupPage {
    const items = page.items.map((group) => ({
      ...group,
      openCount: this.openCounts.get(group.user.id) ?? group.openCount,
    }))
    return { ...page, items: items.filter(this.isListed) }
  }
}
