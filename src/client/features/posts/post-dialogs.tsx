import type { ReactNode } from 'react'
import type { Post, PostComment } from '../../../shared/posts/post.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../core/ui/dialogs/confirm-dialog.tsx'
import { deleteComment, deletePost } from './post-actions.ts'

/** Asks before a post is deleted. */
export function DeletePostDialog({ post, onClose }: OverlayProps & { post: Post }): ReactNode {
  return (
    <ConfirmDialog title="Gönderiyi Sil" confirmLabel="Sil" run={() => deletePost(post)} onClose={onClose}>
      Gönderi, beğenileri ve yorumlarıyla birlikte silinir ve geri getirilemez. Yalnızca gizlemek istersen arşivle.
    </ConfirmDialog>
  )
}

interface DeleteCommentDialogProps extends OverlayProps {
  post: Post
  comment: PostComment
}

/** Asks before a comment is deleted. */
export function DeleteCommentDialog({ post, comment, onClose }: DeleteCommentDialogProps): ReactNode {
  const run = (): Promise<boolean> => deleteComment(post, comment)
  return (
    <ConfirmDialog title="Yorumu Sil" confirmLabel="Sil" run={run} onClose={onClose}>
      <bdi>{comment.User.username}</bdi> adlı kullanıcının yorumu herkes için silinir: <q>{comment.content}</q>
    </ConfirmDialog>
  )
}
