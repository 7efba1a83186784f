import { type ReactNode, useMemo } from 'react'
import { POST_NOT_FOUND_TEXT } from '../../../shared/posts/texts.ts'
import type { PostId, UserId } from '../../../shared/protocol/ids.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { PostListView } from './lists/post-list-view.tsx'
import { createSinglePost } from './state.ts'

interface PostDialogProps extends OverlayProps {
  postId: PostId
  owner: { id: UserId; username: string }
}

/** One post above the page, as for a notification about it. */
export function PostDialog({ postId, owner, onClose }: PostDialogProps): ReactNode {
  const store = useMemo(() => createSinglePost(owner.id, postId), [owner.id, postId])
  return (
    <Modal title="Gönderi" isFullScreen onClose={onClose}>
      <div>
        <PostListView store={store} ownerName={owner.username} empty={POST_NOT_FOUND_TEXT} />
      </div>
    </Modal>
  )
}
