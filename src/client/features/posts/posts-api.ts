import type { Post, PostComment, PostCounts, PostLiker, PostSort } from '../../../shared/posts/post.ts'
import { ARCHIVE_NOT_LOADED } from '../../../shared/posts/texts.ts'
import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { LiveList, type PagedItems } from '../../core/signals/live-list.ts'
import type { CommentSource } from './comments/comment-list.ts'
import type { PostSource } from './lists/post-list.ts'

const POSTS_NOT_LOADED = 'Gönderiler alınamadı.'
const COMMENTS_NOT_LOADED = 'Yorumlar alınamadı.'

/** A user's posts in one order. */
export function postsOf(userId: UserId, sort: PostSort): PostSource {
  return {
    failureText: (failure) => failureText(failure, POSTS_NOT_LOADED),
    fetchPage: async (before) => {
      const query = new URLSearchParams({ sort, ...(before !== null && { before }) })
      return toPage(await callApi<'postsOfUser'>(`/posts/user/${userId}?${query}`, { as: 'user' }))
    },
  }
}

/** The viewer's archive. */
export function archiveOf(userId: UserId): PostSource {
  return {
    failureText: () => ARCHIVE_NOT_LOADED,
    fetchPage: async (before) => {
      const query = before === null ? '' : `?${new URLSearchParams({ before })}`
      return toPage(await callApi<'archivedPosts'>(`/posts/user/archive/${userId}${query}`, { as: 'user' }))
    },
  }
}

function toPage(
  answer: Result<{ posts: readonly Post[]; next: string | null; cursor: number }>,
): Result<PagedItems<Post, string>> {
  return isFailure(answer) ? answer : { items: answer.posts, next: answer.next, cursor: answer.cursor }
}

/** One post; null when it failed, or when the viewer may not see it. */
export async function fetchPost(id: PostId): Promise<Post | null> {
  const answer = await callApi<'postById'>(`/posts/${id}`, { as: 'user' })
  return isFailure(answer) ? null : answer.post
}

/** One post as a list. */
export function singlePost(id: PostId): PostSource {
  return {
    failureText: (failure) => failureText(failure, 'Gönderi alınamadı.'),
    fetchPage: async () => {
      const answer = await callApi<'postById'>(`/posts/${id}`, { as: 'user' })
      return isFailure(answer) ? answer : { items: [answer.post], next: null, cursor: answer.cursor }
    },
  }
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

/** The comments of a post, the latest first. */
export function commentsOf(id: PostId): CommentSource {
  return {
    failureText: (failure) => failureText(failure, COMMENTS_NOT_LOADED),
    fetchPage: async (before) => {
      const answer = await callApi<'commentsOfPost'>(`/posts/comment/${id}${pageQuery(before)}`, { as: 'user' })
      return isFailure(answer) ? answer : { items: answer.comments, next: answer.next, cursor: answer.cursor }
    },
  }
}

/** Returns the comment, or why it was not sent. */
export async function sendComment(id: PostId, content: string): Promise<PostComment | string> {
  const answer = await callApi<'commentPost'>(`/posts/comment/${id}`, { as: 'user', body: { content } })
  if (answer instanceof Refusal) return answer.body.message
  return typeof answer === 'string' ? 'Yorum gönderilemedi.' : answer.comment
}
