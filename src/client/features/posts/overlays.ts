import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { NewPostDialog } from './composing/new-post-dialog.tsx'
import { LikesDialog } from './likes-dialog.tsx'
import { ArchiveDrawer } from './lists/archive-drawer.tsx'
import { PostDialog } from './post-dialog.tsx'
import { DeleteCommentDialog, DeletePostDialog } from './post-dialogs.tsx'

export const overlays = {
  /** 'Yeni Paylaşım'. */
  newPost: { component: NewPostDialog, access: 'everyone' },
  /** 'Arşiv'. */
  postArchive: { component: ArchiveDrawer, access: 'everyone' },
  /** One post. */
  post: { component: PostDialog, access: 'everyone' },
  /** 'Beğenenler'. */
  postLikes: { component: LikesDialog, access: 'everyone' },
  deletePost: { component: DeletePostDialog, access: 'everyone' },
  deleteComment: { component: DeleteCommentDialog, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
