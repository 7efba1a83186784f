import type { PostComment } from '../../../../shared/posts/post.ts'
import type { CommentId, PostId, UserId } from '../../../../shared/protocol/ids.ts'
import { signal } from '../../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../../core/ui/lists/paged-items.ts'
import { EventBuffer } from '../lists/event-buffer.ts'
import { type PostChange, renameAuthors, withComment } from '../lists/post-changes.ts'
import type { PostFeed } from '../lists/post-feed.ts'

/** Comments as the server answers them, the latest first; events up to `cursor` are in them. */
export interface CommentPage {
  comments: readonly PostComment[]
  next: CommentId | null
  cursor: number
}

interface CommentListPlatform {
  feed: PostFeed
  /** Requests the page at a cursor, or the latest one. Returns an error text in Turkish when it failed. */
  fetchPage(before: CommentId | null): Promise<CommentPage | string>
}

type LoadedComments = PagedItems<PostComment, CommentId>

interface CommentedPost {
  id: PostId
  /** The owner. */
  userId: UserId
}

/** The comments of one post, the oldest first: loaded by pages from the end, then kept current by events. */
export class CommentList {
  /** null before the first load. `next` is the cursor of the older ones. */
  readonly list = signal<LoadedComments | null>(null)
  readonly failure = signal<string | null>(null)
  readonly isLoading = signal(false)
  private readonly platform: CommentListPlatform
  private readonly post: CommentedPost
  private readonly eventBuffer = new EventBuffer()

  constructor(platform: CommentListPlatform, post: CommentedPost) {
    this.platform = platform
    this.post = post
  }

  /** Loads the latest comments and watches the events, until the returned function is called. */
  open(): () => void {
    const { feed } = this.platform
    const end = feed.watch(this.post.userId, {
      onChange: (change, seq) => this.onChange(change, seq),
      onRestart: () => void this.load(null),
      onClosed: () => {
        this.list.value = null
      },
    })
    void feed.whenWatched(this.post.userId).then(() => this.load(null))
    return end
  }

  /** Loads the older comments, or all again after a failure of the first page. */
  loadOlder(): Promise<void> {
    return this.load(this.list.peek()?.next ?? null)
  }

  private async load(before: CommentId | null): Promise<void> {
    this.failure.value = null
    this.isLoading.value = true
    const requestedAt = this.eventBuffer.now()
    const page = await this.platform.fetchPage(before)
    this.isLoading.value = false
    if (typeof page === 'string') {
      this.failure.value = page
      return
    }
    const known = this.list.peek()
    // Pages continue at their end: the latest first.
    const latestFirst = known && { ...known, items: known.items.toReversed() }
    const merged = mergePage(latestFirst, before, { items: page.comments, next: page.next })
    if (!merged) return
    const list: LoadedComments = { ...merged, items: merged.items.toReversed() }
    const missing = this.eventBuffer.missingIn(page.cursor, requestedAt)
    this.list.value = missing.reduce((changed, change) => this.apply(changed, change), list)
  }

  private onChange(change: PostChange, seq: number | null): void {
    this.eventBuffer.add(change, seq)
    const list = this.list.peek()
    if (list) this.list.value = this.apply(list, change)
  }

  private apply(list: LoadedComments, change: PostChange): LoadedComments {
    const keep = (stays: (comment: PostComment) => boolean): LoadedComments => ({
      ...list,
      items: list.items.filter(stays),
    })
    switch (change.kind) {
      case 'commented':
        return change.comment.postId === this.post.id ? this.withComment(list, change.comment) : list
      case 'commentDeleted':
        return change.postId === this.post.id ? keep(({ id }) => id !== change.commentId) : list
      case 'blocked':
        return keep(({ User }) => User.id !== change.userId)
      case 'person':
        return { ...list, items: renameAuthors(list.items, change.user) }
      default:
        return list
    }
  }

  /** An older one among the latest is sent again; it comes with its page. */
  private withComment(list: LoadedComments, comment: PostComment): LoadedComments {
    const isOlder = list.next !== null && comment.id < (list.items[0]?.id ?? 0)
    return isOlder ? list : { ...list, items: withComment(list.items, comment) }
  }
}
