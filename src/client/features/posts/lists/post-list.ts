import type { Post, PostCounts } from '../../../../shared/posts/post.ts'
import type { PostId, UserId } from '../../../../shared/protocol/ids.ts'
import { batch, computed, signal } from '../../../core/signals/signal.ts'
import { mergePage } from '../../../core/ui/lists/paged-items.ts'
import { EventBuffer } from './event-buffer.ts'
import { applyToPosts, type LoadedPosts, type PostChange, type PostListOrder } from './post-changes.ts'
import type { PostFeed } from './post-feed.ts'

/** Posts as the server answers them; events up to `cursor` are in them. */
export interface PostPage {
  posts: readonly Post[]
  next: string | null
  cursor: number
}

export interface PostListPlatform {
  feed: PostFeed
  viewerId: UserId | null
  /** Requests the page at a cursor, or the first one. Returns an error text in Turkish when it failed. */
  fetchPage(before: string | null): Promise<PostPage | string>
  /** Requests one post; null when it failed, or when the viewer may not see it. */
  fetchPost(id: PostId): Promise<Post | null>
  /** Likes a post or takes the like back; null when it failed. */
  sendLike(id: PostId, isLiked: boolean): Promise<PostCounts | null>
  /** Called when a shown post has left the archive. */
  onUnarchived?(): void
}

type RequestedPage = PostPage & { requestedAt: number }

/** Pages that are loaded again after events were missed. */
const MAX_REFRESHED_PAGES = 5

/** The posts of one user in one order, or the archive: loaded by pages, then kept current by events. */
export class PostList {
  /** null before the first load. */
  readonly list = computed(() => withPendingLikes(this.loaded.value, this.pendingLikes.value))
  /** The viewer may not see the posts any more. */
  readonly isClosed = signal(false)
  private readonly loaded = signal<LoadedPosts | null>(null)
  /** What the viewer wants and the server has not confirmed: whether a post is liked. */
  private readonly pendingLikes = signal<ReadonlyMap<PostId, boolean>>(new Map())
  private readonly platform: PostListPlatform
  private readonly userId: UserId
  private readonly order: PostListOrder
  private readonly eventBuffer = new EventBuffer()
  private needsRefresh = false
  private isRefreshing = false

  constructor(platform: PostListPlatform, userId: UserId, order: PostListOrder) {
    this.platform = platform
    this.userId = userId
    this.order = order
  }

  /** Watches the events until the returned function is called. */
  open(): () => void {
    return this.platform.feed.watch(this.userId, {
      onChange: (change, seq) => this.onChange(change, seq),
      onRestart: () => void this.refresh(),
      onClosed: () => this.close(),
    })
  }

  /** Loads the first page (null), or the next one. Returns an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    await this.platform.feed.whenWatched(this.userId)
    const page = await this.request(before)
    if (typeof page === 'string') return page
    batch(() => {
      this.isClosed.value = false
      this.loaded.value = this.merge(this.loaded.peek(), before, page)
    })
    return null
  }

  /** Likes a post or takes the like back, at once on the screen. Returns whether the server did it. */
  async setLiked(postId: PostId, isLiked: boolean): Promise<boolean> {
    const isSending = this.pendingLikes.peek().has(postId)
    this.setPendingLike(postId, isLiked)
    return isSending || this.sendLikes(postId)
  }

  private async sendLikes(postId: PostId): Promise<boolean> {
    for (;;) {
      const wanted = this.pendingLikes.peek().get(postId)
      if (wanted === undefined) return true
      const sentAt = this.eventBuffer.now()
      const counts = await this.platform.sendLike(postId, wanted)
      batch(() => {
        // The events are in order, so an answer after its event may be older than what is shown.
        const isSeen = this.eventBuffer.hasSince(sentAt, (change) => this.isOwnLike(change, postId))
        if (counts && !isSeen) this.onChange({ kind: 'counted', counts }, null)
        const isSettled = counts === null || this.pendingLikes.peek().get(postId) === wanted
        if (isSettled) this.setPendingLike(postId, undefined)
      })
      if (counts === null) return false
    }
  }

  private isOwnLike(change: PostChange, postId: PostId): boolean {
    const { viewerId } = this.platform
    return change.kind === 'counted' && change.counts.postId === postId && change.counts.like?.userId === viewerId
  }

  private setPendingLike(postId: PostId, isLiked: boolean | undefined): void {
    const likes = new Map(this.pendingLikes.peek())
    if (isLiked === undefined) likes.delete(postId)
    else likes.set(postId, isLiked)
    this.pendingLikes.value = likes
  }

  private close(): void {
    this.loaded.value = null
    this.isClosed.value = true
  }

  private onChange(change: PostChange, seq: number | null): void {
    const hasEntered =
      change.kind === 'archived' && this.order !== 'single' && change.isArchived === (this.order === 'archive')
    if (hasEntered) void this.fetchEntered(change.postId, seq)
    const isShown = change.kind === 'archived' && this.loaded.peek()?.items.some(({ id }) => id === change.postId)
    this.eventBuffer.add(change, seq)
    const list = this.loaded.peek()
    if (list) this.loaded.value = this.apply(list, change)
    if (isShown && !hasEntered && this.order === 'archive') this.platform.onUnarchived?.()
  }

  private async fetchEntered(postId: PostId, seq: number | null): Promise<void> {
    const post = await this.platform.fetchPost(postId)
    // It may have been archived again.
    if (post?.isArchived === (this.order === 'archive')) this.onChange({ kind: 'entered', post }, seq)
  }

  private apply(list: LoadedPosts, change: PostChange): LoadedPosts {
    return applyToPosts(list, change, { order: this.order, viewerId: this.platform.viewerId })
  }

  private async request(before: string | null): Promise<RequestedPage | string> {
    const requestedAt = this.eventBuffer.now()
    const page = await this.platform.fetchPage(before)
    return typeof page === 'string' ? page : { ...page, requestedAt }
  }

  /** The list with a page, and with the changes that the page does not have. */
  private merge(known: LoadedPosts | null, before: string | null, page: RequestedPage): LoadedPosts | null {
    const merged = mergePage(known, before, { items: page.posts, next: page.next })
    if (!merged) return null
    const list: LoadedPosts = { ...merged, items: uniquePosts(merged.items) }
    const missing = this.eventBuffer.missingIn(page.cursor, page.requestedAt)
    return missing.reduce((changed, change) => this.apply(changed, change), list)
  }

  /** Loads again what is loaded: events were missed. */
  private async refresh(): Promise<void> {
    this.needsRefresh = true
    if (this.isRefreshing) return
    this.isRefreshing = true
    while (this.needsRefresh) {
      this.needsRefresh = false
      await this.platform.feed.whenWatched(this.userId)
      await this.reload()
    }
    this.isRefreshing = false
  }

  private async reload(): Promise<void> {
    const known = this.loaded.peek()
    if (!known) return
    let list: LoadedPosts | null = null
    for (let page = 0; page < MAX_REFRESHED_PAGES; page++) {
      const before: string | null = list?.next ?? null
      const answer = await this.request(before)
      // The list stays as it is; the next connection loads it again.
      if (typeof answer === 'string') return
      list = this.merge(list, before, answer)
      if (!list || list.next === null || list.items.length >= known.items.length) break
    }
    if (list) this.loaded.value = list
  }
}

/** A post whose place has changed may come again with a later page. */
function uniquePosts(posts: readonly Post[]): Post[] {
  const seen = new Set<PostId>()
  return posts.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function withPendingLikes(list: LoadedPosts | null, likes: ReadonlyMap<PostId, boolean>): LoadedPosts | null {
  if (!list || likes.size === 0) return list
  const items = list.items.map((post) => {
    const isLiked = likes.get(post.id) ?? post.isLiked
    if (isLiked === post.isLiked) return post
    return { ...post, isLiked, likeCount: Math.max(0, post.likeCount + (isLiked ? 1 : -1)) }
  })
  return { ...list, items }
}
