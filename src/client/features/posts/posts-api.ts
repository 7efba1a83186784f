import type { Post, PostComment, PostCounts, PostLiker, PostSort } from '../../../shared/posts/post.ts'
import { ARCHIVE_NOT_LOADED } from '../../../shared/posts/texts.ts'
import type { CommentId, PostId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { LiveList } from '../../core/live/live-list.ts'
import type { CommentPage } from './comments/comment-list.ts'
import type { PostPage } from './lists/post-list.ts'

const POSTS_NOT_LOADED = 'Gönderiler alınamadı.'
const COMMENTS_NOT_LOADED = 'Yorumlar alınamadı.'

/** A page of a user's posts, or an error text in Turkish: the server's message after a refusal. */
export async function fetchPosts(userId: UserId, sort: PostSort, before: string | null): Promise<PostPage | string> {
  const query = new URLSearchParams({ sort, ...(before !== null && { before }) })
  const answer = await callApi<'postsOfUser'>(`/posts/user/${userId}?${query}`, { as: 'user' })
  if (answer instanceof Refusal) return answer.body.message
  return answer === 'noAnswer' ? POSTS_NOT_LOADED : answer
}

/** A page of the viewer's archive, or the specification's error text. */
export async function fetchArchive(userId: UserId, before: string | null): Promise<PostPage | string> {
  const query = before === null ? '' : `?${new URLSearchParams({ before })}`
  const answer = await callApi<'archivedPosts'>(`/posts/user/archive/${userId}${query}`, { as: 'user' })
  return isFailure(answer) ? ARCHIVE_NOT_LOADED : answer
}

/** One post; null when it failed, or when the viewer may not see it. */
export async function fetchPost(id: PostId): Promise<Post | null> {
  const answer = await callApi<'postById'>(`/posts/${id}`, { as: 'user' })
  return isFailure(answer) ? null : answer.post
}

/** One post as a page, or an error text in Turkish. */
export async function fetchSinglePost(id: PostId): Promise<PostPage | string> {
  const answer = await callApi<'postById'>(`/posts/${id}`, { as: 'user' })
  if (answer instanceof Refusal) return answer.body.message
  return answer === 'noAnswer' ? 'Gönderi alınamadı.' : { posts: [answer.post], next: null, cursor: answer.cursor }
}

/** Likes a post or takes the like back; null after a failure, which a toast shows. */
export async function sendLike(id: PostId, isLiked: boolean): Promise<PostCounts | null> {
  const call = { as: 'user', method: isLiked ? 'POST' : 'DELETE' } as const
  const answer = await callApi<'likePost'>(`/posts/like/${id}`, call)
  return toastIfFailed(answer, isLiked ? 'Beğenilemedi.' : 'Beğeni geri alınamadı.') ? null : answer
}

/** The users who like a post, the latest first. */
export function createLikeList(id: PostId): LiveList<PostLiker, string> {
  return new LiveList<PostLiker, string>({
    failureText: (failure) => failureText(failure, 'Beğenenler alınamadı.'),
    fetchPage: async (before) => {
      const query = before === null ? '' : `?${new URLSearchParams({ before })}`
      const answer = await callApi<'likesOfPost'>(`/posts/like/${id}${query}`, { as: 'user' })
      return isFailure(answer) ? answer : { items: answer.users, next: answer.next }
    },
  })
}

/** The comments before one, or the latest; or an error text in Turkish. */
export async function fetchComments(id: PostId, before: CommentId | null): Promise<CommentPage | string> {
  const answer = await callApi<'commentsOfPost'>(`/posts/comment/${id}${pageQuery(before)}`, { as: 'user' })
  if (answer instanceof Refusal) return answer.body.message
  return answer === 'noAnswer' ? COMMENTS_NOT_LOADED : answer
}

/** Returns the comment, or why it was not sent. */
export async function sendComment(id: PostId, content: string): Promise<PostComment | string> {
  const answer = await callApi<'commentPost'>(`/posts/comment/${id}`, { as: 'user', body: { content } })
  if (answer instanceof Refusal) return answer.body.message
  return answer === 'noAnswer' ? 'Yorum gönderilemedi.' : answer.comment
}
