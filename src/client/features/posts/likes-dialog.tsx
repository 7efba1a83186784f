import { type ReactNode, useMemo } from 'react'
import { GHOST_MARK } from '../../../shared/moderation/ghost-mark.ts'
import type { PostLiker } from '../../../shared/posts/post.ts'
import type { PostId } from '../../../shared/protocol/ids.ts'
import { GenderBadge } from '../../core/ui/person/user-badges.tsx'
import '../../model/relations/relation-row.css'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { createLikeList } from './posts-api.ts'

/** Who likes a post, the latest first. */
export function LikesDialog({ postId, onClose }: OverlayProps & { postId: PostId }): ReactNode {
  const likes = useMemo(() => createLikeList(postId), [postId])
  return (
    <Modal title="Beğenenler" dismissIcon="back" onClose={onClose}>
      <PagedList list={likes} empty="Henüz beğeni yok." row={(user) => <LikeRow key={user.id} user={user} />} />
    </Modal>
  )
}

function LikeRow({ user }: { user: PostLiker }): ReactNode {
  const { username, gender, isGhost } = user
  return (
    <li className="relation-row">
      {/* The page opens the profile of a clicked `data-person`. */}
      <button type="button" className="row-button grow semibold break" data-person={username} aria-haspopup="dialog">
        <Avatar user={user} size={48} />
        <bdi>{username}</bdi>
        <GenderBadge gender={gender} />
        {isGhost && <b>{GHOST_MARK}</b>}
      </button>
    </li>
  )
}
