import type { UserSummary } from '../../../../shared/accounts/protocol.ts'
import type { Post, PostComment, PostCounts, PostSort } from '../../../../shared/posts/post.ts'
import type { CommentId, PostId, UserId } from '../../../../shared/protocol/ids.ts'
import type { PagedItems } from '../../../core/signals/live-list.ts'

/** A change of one user's posts, by an event or by an answer to this tab. */
export type PostChange =
  | { kind: 'created'; post: Post }
  | { kind: 'archived'; postId: PostId; isArchived: boolean }
  /** A post that was fetched because it has entered the list. */
  | { kind: 'entered'; post: Post }
  | { kind: 'deleted'; postId: PostId }
  | { kind: 'counted'; counts: PostCounts }
  | { kind: 'commented'; comment: PostComment }
  | { kind: 'commentDeleted'; postId: PostId; commentId: CommentId }
  /** Somebody changed the own profile. */
  | { kind: 'person'; user: UserSummary }
  /** The viewer has blocked somebody. */
  | { kind: 'blocked'; userId: UserId }

export type LoadedPosts = PagedItems<Post, string>

/** Which posts a list has, in which order; `single`: one post, archived or not. */
export type PostListOrder = PostSort | 'archive' | 'single'

/** The list after a change. Each change gives the same result when it is applied twice. */
export function applyToPosts(
  list: LoadedPosts,
  change: PostChange,
  { order, viewerId }: { order: PostListOrder; viewerId: UserId | null },
): LoadedPosts {
  switch (change.kind) {
    case 'created':
      return order === 'archive' || order === 'single' ? list : withNewPost(list, change.post, order)
    case 'entered':
      return order === 'archive' ? withArchivedPost(list, change.post) : withPostOnTop(list, change.post)
    case 'archived':
      if (order === 'single') return withArchivedState(list, change, viewerId)
      return change.isArchived === (order === 'archive') ? list : withoutPost(list, change.postId)
    case 'deleted':
      return withoutPost(list, change.postId)
    default:
      return withEachPost(list, (post) => applyToPost(post, change, viewerId))
  }
}

function applyToPost(post: Post, change: PostChange, viewerId: UserId | null): Post {
  switch (change.kind) {
    case 'counted':
      return change.counts.postId === post.id ? withCounts(post, change.counts, viewerId) : post
    case 'commented':
      return change.comment.postId === post.id
        ? { ...post, Comments: withComment(post.Comments, change.comment) }
        : post
    case 'commentDeleted':
      return change.postId === post.id ? withComments(post, ({ id }) => id !== change.commentId) : post
    case 'blocked':
      return withComments(post, ({ User }) => User.id !== change.userId)
    case 'person': {
      const Comments = renameAuthors(post.Comments, change.user)
      return Comments === post.Comments ? post : { ...post, Comments }
    }
    default:
      return post
  }
}

/** Comments with one more, in the order of their ids. */
export function withComment(comments: readonly PostComment[], comment: PostComment): PostComment[] {
  const others = comments.filter(({ id }) => id !== comment.id)
  return [...others, comment].sort((a, b) => a.id - b.id)
}

/** The same array where none is of this user. */
export function renameAuthors<Comments extends readonly PostComment[]>(
  comments: Comments,
  { id, username, avatarUrl, gender, isGuest }: UserSummary,
): Comments | PostComment[] {
  if (!comments.some(({ User }) => User.id === id)) return comments
  const User = { id, username, avatarUrl, gender, isGuest }
  return comments.map((comment) => (comment.User.id === id ? { ...comment, User } : comment))
}

function withCounts(post: Post, counts: PostCounts, viewerId: UserId | null): Post {
  const { score, likeCount, commentCount, Likes, commentIds, like } = counts
  const shownIds = new Set(commentIds)
  const Comments = post.Comments.filter(({ id }) => shownIds.has(id))
  const isLiked = like && like.userId === viewerId ? like.isLiked : post.isLiked
  return { ...post, score, likeCount, commentCount, Likes, Comments, isLiked }
}

/** The same post where all of its comments stay. */
function withComments(post: Post, stays: (comment: PostComment) => boolean): Post {
  const Comments = post.Comments.filter(stays)
  return Comments.length === post.Comments.length ? post : { ...post, Comments }
}

/** The same list where every post stays as it is, so that nothing is drawn again. */
function withEachPost(list: LoadedPosts, change: (post: Post) => Post): LoadedPosts {
  const items = list.items.map(change)
  return items.every((post, index) => post === list.items[index]) ? list : { ...list, items }
}

function withoutPost(list: LoadedPosts, postId: PostId): LoadedPosts {
  const items = list.items.filter(({ id }) => id !== postId)
  return items.length === list.items.length ? list : { ...list, items }
}

/** An archived post stays on the screen of its owner alone. */
function withArchivedState(
  list: LoadedPosts,
  { postId, isArchived }: { postId: PostId; isArchived: boolean },
  viewerId: UserId | null,
): LoadedPosts {
  const known = list.items.find(({ id }) => id === postId)
  if (isArchived && known?.userId !== viewerId) return withoutPost(list, postId)
  return withEachPost(list, (post) => (post === known ? { ...post, isArchived } : post))
}

/** The newest post: first, or last where the end is loaded. */
function withNewPost(list: LoadedPosts, post: Post, sort: PostSort): LoadedPosts {
  if (list.items.some(({ id }) => id === post.id)) return list
  if (sort === 'createdAt_DESC') return { ...list, items: [post, ...list.items] }
  return list.next === null ? { ...list, items: [...list.items, post] } : list
}

/** A post that has left the archive is first until the next load (specification 2, point 4, "Archive"). */
function withPostOnTop(list: LoadedPosts, post: Post): LoadedPosts {
  return { ...list, items: [post, ...list.items.filter(({ id }) => id !== post.id)] }
}

/** The archive has the newest posts first. One that is older than what is loaded comes with its page. */
function withArchivedPost(list: LoadedPosts, post: Post): LoadedPosts {
  const others = list.items.filter(({ id }) => id !== post.id)
  const at = others.findIndex(({ id }) => id < post.id)
  if (at >= 0) return { ...list, items: others.toSpliced(at, 0, post) }
  return list.next === null ? { ...list, items: [...others, post] } : list
}
