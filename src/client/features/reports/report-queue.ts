import type { UserId } from '../../../shared/protocol/ids.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import type { ReportGroup } from '../../../shared/reports/report.ts'
import { REPORTS_NOT_LOADED } from '../../../shared/reports/screen-texts.ts'
import { LiveList, type PagedItems } from '../../core/signals/live-list.ts'
import { computed, signal } from '../../core/signals/signal.ts'

export type GroupPage = PagedItems<ReportGroup, string>

/**
 * The reported users, in the order of the server. Changes are shown where a user is; new users wait until `showWaiting`, so
 * that nothing moves under the finger.
 */
export class ReportQueue {
  /** null before the first load. */
  readonly list = computed((): GroupPage | null => {
    const groups = this.groups.list.value
    const shownIds = this.shownIds.value
    if (!groups || !shownIds) return groups
    const byId = new Map(groups.items.map((group) => [group.id, group]))
    return { items: shownIds.flatMap((id) => byId.get(id) ?? []), next: groups.next }
  })
  /** How many loaded users the list lacks. */
  readonly waitingCount = computed(
    () => (this.groups.list.value?.items.length ?? 0) - (this.list.value?.items.length ?? 0),
  )
  private readonly groups: LiveList<ReportGroup & { id: UserId }, string>
  /** null: all that are loaded. */
  private readonly shownIds = signal<readonly UserId[] | null>(null)
  private readonly isListed: (group: Pick<ReportGroup, 'openCount'>) => boolean

  /** @param isListed whether a user stays in the list after a change */
  constructor(
    fetchPage: (before: string | null) => Promise<Result<GroupPage>>,
    isListed: (group: Pick<ReportGroup, 'openCount'>) => boolean,
  ) {
    this.isListed = isListed
    this.groups = new LiveList<ReportGroup & { id: UserId }, string>({
      failureText: () => REPORTS_NOT_LOADED,
      reloadedPages: Number.POSITIVE_INFINITY,
      fetchPage: async (before) => {
        const page = await fetchPage(before)
        return isFailure(page) ? page : { ...page, items: page.items.map((group) => ({ id: group.user.id, ...group })) }
      },
    })
  }

  /** Loads the page at a cursor, or the first one. Returns an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    const earlier = new Set(this.loadedIds())
    const failure = await this.groups.load(before)
    const shownIds = this.shownIds.peek()
    if (before === null) this.showWaiting()
    else if (shownIds) {
      // A reload meanwhile has shown some of them.
      const added = this.loadedIds().filter((id) => !earlier.has(id) && !shownIds.includes(id))
      this.shownIds.value = [...shownIds, ...added]
    }
    return failure
  }

  /** Forgets the list, as before the first load: other users are asked for from now on. */
  restart(): void {
    this.groups.reset()
    this.shownIds.value = null
  }

  /** Applies what an event says: users without open reports leave the list of open ones at once. */
  applyChange({ userId, openCount }: { userId: UserId; openCount: number }): void {
    this.groups.change((list) => {
      const items = list.items.map((group) => (group.id === userId ? { ...group, openCount } : group))
      return { ...list, items: items.filter(this.isListed) }
    })
    void this.reload()
  }

  /** Loads again what is loaded. Where nothing is shown, nothing waits. */
  async reload(): Promise<void> {
    await this.groups.reload()
    const shown = this.list.peek()?.items ?? []
    // A user who is reported again waits again.
    if (shown.length > 0) this.shownIds.value = shown.map(({ user }) => user.id)
    else this.showWaiting()
  }

  /** Shows the users that wait, in the order of the server. */
  showWaiting(): void {
    this.shownIds.value = this.loadedIds()
  }

  private loadedIds(): UserId[] {
    return this.groups.list.peek()?.items.map(({ id }) => id) ?? []
  }
}
