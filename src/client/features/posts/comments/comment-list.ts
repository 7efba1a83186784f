import type { PostComment } from '../../../../shared/posts/post.ts'
import type { CommentId, PostId, UserId } from '../../../../shared/protocol/ids.ts'
import { LiveList, type LiveListSource, type PagedItems } from '../../../core/signals/live-list.ts'
import { computed, signal } from '../../../core/signals/signal.ts'
import { type PostChange, renameAuthors, withComment } from '../lists/post-changes.ts'
import type { PostFeed } from '../lists/post-feed.ts'

type LoadedComments = PagedItems<PostComment, CommentId>

/** How comments are fetched, the latest first. */
export type CommentSource = LiveListSource<LoadedComments, CommentId>

interface CommentedPost {
  id: PostId
  /** The owner. */
  userId: UserId
}

/** The comments of one post, the oldest first: loaded by pages from the end, then kept current by events. */
export class CommentList {
  /** null before the first load. `next` is the cursor of the older ones. */
  readonly list = computed(() => oldestFirst(this.comments.list.value))
  readonly failure = signal<string | null>(null)
  readonly isLoading = signal(false)
  private readonly feed: PostFeed
  private readonly post: CommentedPost
  private readonly comments: LiveList<PostComment, CommentId>

  constructor(feed: PostFeed, source: CommentSource, post: CommentedPost) {
    this.feed = feed
    this.post = post
    this.comments = new LiveList<PostComment, CommentId>(source)
  }

  /** Loads the latest comments and watches the events, until the returned function is called. */
  open(): () => void {
    const { feed, comments } = this
    const end = feed.watch(this.post.userId, {
      onChange: (change, seq) => comments.change((list) => this.apply(list, change), seq),
      onRestart: () => void this.loadLatest(),
      onClosed: () => comments.reset(),
    })
    void this.loadLatest()
    return end
  }

  /** Loads the older comments, or all again after a failure of the first page. */
  loadOlder(): Promise<void> {
    return this.showLoading(this.comments.load(this.comments.list.peek()?.next ?? null))
  }

  private async loadLatest(): Promise<void> {
    const { feed, comments } = this
    await feed.whenWatched(this.post.userId)
    const isKnown = this.isLoading.peek() || comments.list.peek() !== null
    await this.showLoading(isKnown ? comments.reload() : comments.load(null))
  }

  private async showLoading(loading: Promise<string | null>): Promise<void> {
    this.failure.value = null
    this.isLoading.value = true
    this.failure.value = await loading
    this.isLoading.value = false
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
    const isOlder = list.next !== null && comment.id < (list.items.at(-1)?.id ?? 0)
    return isOlder ? list : { ...list, items: withComment(list.items, comment).toReversed() }
  }
}

function oldestFirst(list: LoadedComments | null): LoadedComments | null {
  return list && { ...list, items: list.items.toReversed() }
}
