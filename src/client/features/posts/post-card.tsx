import { memo, type ReactNode, useId, useState } from 'react'
import { GHOST_MARK } from '../../../shared/moderation/ghost-mark.ts'
import type { Post } from '../../../shared/posts/post.ts'
import { MEMBERS_ONLY_TEXT } from '../../../shared/protocol/members-only.ts'
import { REPORT_LABEL } from '../../../shared/reports/screen-texts.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { clockTime, dayName } from '../../core/ui/format/turkish-time.ts'
import type { MenuItem } from '../../core/ui/menu/menu.tsx'
import { MenuButton } from '../../core/ui/menu/menu-button.tsx'
import { RichText } from '../../core/ui/rich-text.tsx'
import { CommentPreview, PostComments } from './comments/post-comments.tsx'
import { CommentIcon, HeartIcon } from './icons.tsx'
import type { PostList } from './lists/post-list.ts'
import { setArchived } from './post-actions.ts'
import { PostPhoto, PostVideo } from './post-media.tsx'

interface PostCardProps {
  post: Post
  store: PostList
  ownerName: string
  onOpenPhoto: (post: Post) => void
}

/** One post with its likes and comments. It is drawn again when the post changes, not when another one does. */
export const PostCard = memo(function PostCard({ post, store, ownerName, onOpenPhoto }: PostCardProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const commentsId = useId()
  const { type, description, createdAt, isGhost } = post
  const time = `${dayName(createdAt, live.serverNow())} ${clockTime(createdAt)}`
  return (
    <article className="post" data-id={post.id} aria-label={`${ownerName} adlı kullanıcının gönderisi, ${time}`}>
      {type === 'photo' ? <PostPhoto post={post} onOpen={() => onOpenPhoto(post)} /> : <PostVideo post={post} />}
      <div className="post-actions">
        <Likes post={post} store={store} />
        <button
          type="button"
          className="icon-button"
          aria-label={`Yorumlar, ${countText(post.commentCount)} yorum`}
          aria-expanded={isOpen}
          aria-controls={commentsId}
          onClick={() => setOpen(!isOpen)}
        >
          <CommentIcon size={22} />
          {post.commentCount > 0 && countText(post.commentCount)}
        </button>
        <time className="post-time" dateTime={new Date(createdAt).toISOString()}>
          {isGhost && <b>{GHOST_MARK} · </b>}
          {time}
        </time>
        {!session.isGuest() && <MenuButton label="Gönderi işlemleri" entries={entriesOf(post, ownerName)} />}
      </div>
      {description !== '' && (
        <p className="post-text" dir="auto">
          <RichText text={description} viewerName={session.user?.username ?? ''} />
        </p>
      )}
      <div id={commentsId}>
        {isOpen ? <PostComments post={post} /> : <CommentPreview post={post} onOpen={() => setOpen(true)} />}
      </div>
    </article>
  )
})

/** The like of the viewer, and who likes the post. */
function Likes({ post, store }: { post: Post; store: PostList }): ReactNode {
  const { id, isLiked, likeCount } = post
  const press = (): void => {
    if (session.isGuest()) void toast(MEMBERS_ONLY_TEXT, 'info')
    else void store.setLiked(id, !isLiked)
  }
  return (
    <>
      <button type="button" className="icon-button post-like" aria-label="Beğen" aria-pressed={isLiked} onClick={press}>
        <HeartIcon size={22} />
      </button>
      {likeCount > 0 && (
        <button
          type="button"
          className="icon-button post-like-count"
          aria-label={`${countText(likeCount)} beğeni`}
          aria-haspopup="dialog"
          onClick={() => void openOverlay('postLikes', { postId: id })}
        >
          {countText(likeCount)}
        </button>
      )}
    </>
  )
}

function entriesOf(post: Post, ownerName: string): MenuItem[] {
  if (!session.isSelf(post.userId))
    return [
      {
        label: REPORT_LABEL,
        isDestructive: true,
        run: () => void openOverlay('reportDialog', { target: { kind: 'post', postId: post.id, username: ownerName } }),
      },
    ]
  const { isArchived } = post
  return [
    { label: isArchived ? 'Arşivden çıkar' : 'Arşivle', run: () => void setArchived(post, !isArchived) },
    { label: 'Sil', isDestructive: true, run: () => void openOverlay('deletePost', { post }) },
  ]
}
