import type { Post, PostComment } from '../../../shared/posts/post.ts'
import { POST_ARCHIVED_TEXT, POST_UNARCHIVED_TEXT } from '../../../shared/posts/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { postFeed } from './state.ts'

/** Moves a post into the archive or out of it, and shows the result in a toast. */
export async function setArchived({ id: postId, userId }: Post, isArchived: boolean): Promise<void> {
  const call = { as: 'user', method: 'PUT', body: { isArchived } } as const
  const answer = await callApi<'archivePost'>(`/posts/archive/${postId}`, call)
  if (toastIfFailed(answer, isArchived ? 'Gönderi arşivlenemedi.' : 'Gönderi arşivden çıkarılamadı.')) return
  postFeed.emitOwn(userId, { kind: 'archived', postId, isArchived })
  // The archive reports a post that leaves it too; toasts show the same text once.
  void (isArchived ? toast(POST_ARCHIVED_TEXT, 'success') : toast(POST_UNARCHIVED_TEXT, 'info'))
}

/** Deletes a post and shows the result in a toast. Returns whether it succeeded. */
export async function deletePost({ id: postId, userId }: Post): Promise<boolean> {
  const answer = await callApi<'deletePost'>(`/posts/${postId}`, { as: 'user', method: 'DELETE' })
  if (toastIfFailed(answer, 'Gönderi silinemedi.')) return false
  postFeed.emitOwn(userId, { kind: 'deleted', postId })
  void toast(answer.message, 'success')
  return true
}

/** Deletes a comment and shows the result in a toast. Returns whether it succeeded. */
export async function deleteComment({ userId }: Post, { id: commentId, postId }: PostComment): Promise<boolean> {
  const path = `/posts/comment/${postId}/${commentId}`
  const answer = await callApi<'deleteComment'>(path, { as: 'user', method: 'DELETE' })
  if (toastIfFailed(answer, 'Yorum silinemedi.')) return false
  postFeed.emitOwn(userId, { kind: 'commentDeleted', postId, commentId })
  void toast(answer.message, 'success')
  return true
}
