import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { LiveClient } from '../../../core/live/live-client.ts'
import type { PostChange } from './post-changes.ts'

interface PostListener {
  /** `seq` is null for a change that this tab made by itself, before its event. */
  onChange(change: PostChange, seq: number | null): void
  /** Events may be missing: the posts must be loaded again. */
  onRestart(): void
  /** The viewer may not see these posts any more. */
  onClosed(): void
}

interface Watch {
  listeners: Set<PostListener>
  /** Resolves when the server sends the events, or when it cannot be asked. */
  started: Promise<unknown>
}

/** Watches users' posts while something shows them, and passes on what changes. */
export class PostFeed {
  private readonly live: LiveClient
  private readonly watches = new Map<UserId, Watch>()

  constructor(live: LiveClient) {
    this.live = live
    // The server forgets with a connection what it watched.
    live.onConnected(() => this.restart())
    live.on('postCreated', ({ post, ...mark }, seq) =>
      this.emit(post.userId, { kind: 'created', post: { ...post, ...mark } }, seq),
    )
    live.on('postArchived', ({ userId, ...change }, seq) => this.emit(userId, { kind: 'archived', ...change }, seq))
    live.on('postDeleted', ({ userId, postId }, seq) => this.emit(userId, { kind: 'deleted', postId }, seq))
    live.on('postCountsChanged', (counts, seq) => this.emit(counts.userId, { kind: 'counted', counts }, seq))
    live.on('postCommented', ({ userId, comment, ...mark }, seq) =>
      this.emit(userId, { kind: 'commented', comment: { ...comment, ...mark } }, seq),
    )
    live.on('postCommentDeleted', ({ userId, ...deleted }, seq) =>
      this.emit(userId, { kind: 'commentDeleted', ...deleted }, seq),
    )
    live.on('postsClosed', ({ userId }) => this.watches.get(userId)?.listeners.forEach((one) => void one.onClosed()))
    live.on('userProfileUpdated', ({ user }, seq) => this.emitToAll({ kind: 'person', user }, seq))
    live.on('userBlocked', ({ blockerId, blockedId }, seq) => {
      if (live.isSelf(blockerId)) this.emitToAll({ kind: 'blocked', userId: blockedId }, seq)
    })
    live.on('userUnblocked', ({ blockerId }) => {
      if (live.isSelf(blockerId)) this.forEachListener((listener) => listener.onRestart())
    })
  }

  /** Watches the posts of a user until the returned function is called. */
  watch(userId: UserId, listener: PostListener): () => void {
    const watch = this.watches.get(userId) ?? { listeners: new Set(), started: this.requestWatch(userId) }
    this.watches.set(userId, watch)
    watch.listeners.add(listener)
    return () => {
      watch.listeners.delete(listener)
      // A list in another order may take over.
      queueMicrotask(() => this.endUnused(userId))
    }
  }

  /** Resolves when events of the posts arrive: what is fetched then is kept current. */
  async whenWatched(userId: UserId): Promise<void> {
    await this.watches.get(userId)?.started
  }

  /** Passes on what an answer says, in case its event does not come. */
  emitOwn(userId: UserId, change: PostChange): void {
    this.emit(userId, change, null)
  }

  private endUnused(userId: UserId): void {
    if (this.watches.get(userId)?.listeners.size !== 0) return
    this.watches.delete(userId)
    if (this.live.isConnected()) void this.live.request('unwatchPosts', { userId })
  }

  private requestWatch(userId: UserId): Promise<unknown> {
    return this.live.request('watchPosts', { userId })
  }

  private restart(): void {
    for (const [userId, watch] of this.watches) watch.started = this.requestWatch(userId)
    this.forEachListener((listener) => listener.onRestart())
  }

  private emit(userId: UserId, change: PostChange, seq: number | null): void {
    for (const listener of this.watches.get(userId)?.listeners ?? []) listener.onChange(change, seq)
  }

  private emitToAll(change: PostChange, seq: number | null): void {
    this.forEachListener((listener) => listener.onChange(change, seq))
  }

  private forEachListener(call: (listener: PostListener) => void): void {
    for (const { listeners } of this.watches.values()) listeners.forEach(call)
  }
}
