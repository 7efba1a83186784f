import type { Post, PostCounts } from '../../../../shared/posts/post.ts'
import type { PostId, UserId } from '../../../../shared/protocol/ids.ts'
import { LiveList, type LiveListSource, type PagedItems } from '../../../core/signals/live-list.ts'
import { batch, computed, signal } from '../../../core/signals/signal.ts'
import { applyToPosts, type LoadedPosts, type PostChange, type PostListOrder } from './post-changes.ts'
import type { PostFeed } from './post-feed.ts'

/** How posts are fetched. */
export type PostSource = Pick<LiveListSource<PagedItems<Post, string>, string>, 'fetchPage' | 'failureText'>

export interface PostListPlatform extends PostSource {
  feed: PostFeed
  viewerId: UserId | null
  /** Requests one post; null when it failed, or when the viewer may not see it. */
  fetchPost(id: PostId): Promise<Post | null>
  /** Likes a post or takes the like back; null when it failed. */
  sendLike(id: PostId, isLiked: boolean): Promise<PostCounts | null>
  /** Called when a shown post has left the archive. */
  onUnarchived?(): void
}

/** Pages that are loaded again after events were missed. */
const MAX_RELOADED_PAGES = 5

/** The posts of one user in one order, or the archive: loaded by pages, then kept current by events. */
export class PostList {
  /** null before the first load. */
  readonly list = computed(() => withPendingLikes(this.posts.list.value, this.pendingLikes.value))
  /** The viewer may not see the posts any more. */
  readonly isClosed = signal(false)
  private readonly posts: LiveList<Post, string>
  /** What the viewer wants and the server has not confirmed: whether a post is liked. */
  private readonly pendingLikes = signal<ReadonlyMap<PostId, boolean>>(new Map())
  /** The posts whose event of a like by the viewer has come while its request was under way. */
  private readonly seenLikes = new Set<PostId>()
  private readonly platform: PostListPlatform
  private readonly userId: UserId
  private readonly order: PostListOrder

  constructor(platform: PostListPlatform, userId: UserId, order: PostListOrder) {
    this.platform = platform
    this.userId = userId
    this.order = order
    const { fetchPage, failureText } = platform
    this.posts = new LiveList<Post, string>({ fetchPage, failureText, reloadedPages: MAX_RELOADED_PAGES })
  }

  /** Watches the events until the returned function is called. */
  open(): () => void {
    return this.platform.feed.watch(this.userId, {
      onChange: (change, seq) => this.onChange(change, seq),
      onRestart: () => void this.reload(),
      onClosed: () => this.close(),
    })
  }

  /** Loads the first page (null), or the next one. Returns an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    await this.platform.feed.whenWatched(this.userId)
    const failure = await this.posts.load(before)
    if (this.posts.list.peek()) this.isClosed.value = false
    return failure
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
      this.seenLikes.delete(postId)
      const counts = await this.platform.sendLike(postId, wanted)
      batch(() => {
        // The events are in order, so an answer after its event may be older than what is shown.
        if (counts && !this.seenLikes.has(postId)) this.onChange({ kind: 'counted', counts }, null)
        const isSettled = counts === null || this.pendingLikes.peek().get(postId) === wanted
        if (isSettled) this.setPendingLike(postId, undefined)
      })
      if (counts === null) return false
    }
  }

  private setPendingLike(postId: PostId, isLiked: boolean | undefined): void {
    const likes = new Map(this.pendingLikes.peek())
    if (isLiked === undefined) likes.delete(postId)
    else likes.set(postId, isLiked)
    this.pendingLikes.value = likes
  }

  private close(): void {
    this.posts.reset()
    this.isClosed.value = true
  }

  private onChange(change: PostChange, seq: number | null): void {
    const { order } = this
    const { viewerId } = this.platform
    const hasEntered = change.kind === 'archived' && order !== 'single' && change.isArchived === (order === 'archive')
    if (hasEntered) void this.fetchEntered(change.postId, seq)
    const isShown = change.kind === 'archived' && this.posts.list.peek()?.items.some(({ id }) => id === change.postId)
    if (change.kind === 'counted' && change.counts.like?.userId === viewerId) this.seenLikes.add(change.counts.postId)
    this.posts.change((list) => applyToPosts(list, change, { order, viewerId }), seq)
    if (isShown && !hasEntered && order === 'archive') this.platform.onUnarchived?.()
  }

  private async fetchEntered(postId: PostId, seq: number | null): Promise<void> {
    const post = await this.platform.fetchPost(postId)
    // It may have been archived again.
    if (post?.isArchived === (this.order === 'archive')) this.onChange({ kind: 'entered', post }, seq)
  }

  /** Loads again what is loaded: events were missed. */
  private async reload(): Promise<void> {
    await this.platform.feed.whenWatched(this.userId)
    await this.posts.reload()
  }
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
