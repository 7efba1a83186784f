import type { UserId } from '../../../shared/protocol/ids.ts'
import type { FollowChange, FollowListEntry } from '../../../shared/relations/follow-protocol.ts'
import { signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

export type FollowSide = 'followers' | 'following'
export type FollowPage = PagedItems<FollowListEntry, string>

/** The followers of one user, or the users whom that user follows: loaded by pages, then kept current by events. */
export class FollowListStore {
  /** null before the first load. */
  readonly list = signal<FollowPage | null>(null)
  private readonly userId: UserId
  private readonly side: FollowSide
  private readonly fetchPage: (before: string | null) => Promise<FollowPage | string>
  private latestLoad: Promise<string | null> | null = null

  /** `fetchPage` returns an error text in Turkish when it failed. */
  constructor(userId: UserId, side: FollowSide, fetchPage: (before: string | null) => Promise<FollowPage | string>) {
    this.userId = userId
    this.side = side
    this.fetchPage = fetchPage
  }

  /** Loads the first page (null), or the next one. Returns an error text, or null. A newer load supersedes this one. */
  load(before: string | null = null): Promise<string | null> {
    const loading: Promise<string | null> = this.fetchPage(before).then((page) => {
      if (this.latestLoad !== loading) return this.latestLoad
      this.latestLoad = null
      if (typeof page === 'string') return page
      this.list.value = mergePage(this.list.peek(), before, page)
      return null
    })
    this.latestLoad = loading
    return loading
  }

  /** Removes a user after the end of a follow, and loads the list again after a new one. */
  applyChange({ followerId, followingId, status }: FollowChange): void {
    const [ownerId, listedId] = this.side === 'followers' ? [followingId, followerId] : [followerId, followingId]
    if (ownerId !== this.userId) return
    const known = this.list.peek()
    const isListed = known?.items.some(({ id }) => id === listedId) === true
    // A pending page may be older than the event.
    if (this.latestLoad || (status === 'following' && known && !isListed)) return void this.load()
    if (!known || !isListed || status === 'following') return
    this.list.value = { ...known, items: known.items.filter(({ id }) => id !== listedId) }
  }
}
