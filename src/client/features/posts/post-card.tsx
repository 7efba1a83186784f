import { memo, type ReactNode, useEffect, useId, useRef, useState } from 'react'
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
import { audioTime } from '../../model/media/audio/audio-time.ts'
import { playOneAtATime } from '../../model/media/audio/play-one-at-a-time.ts'
import { PlayIcon } from '../../model/media/icons.tsx'
import { PictureFrame } from '../../model/media/picture-frame.tsx'
import { CommentPreview, PostComments } from './comments/post-comments.tsx'
import { postFrame, srcSetOf } from './composing/post-frame.ts'
import { CommentIcon, HeartIcon } from './icons.tsx'
import type { PostList } from './lists/post-list.ts'
import { setArchived } from './post-actions.ts'

/** The width of a card: that of the side panel, else that of the screen. */
const SIZES = '(width < 768px) 100vw, 480px'

interface PlayingVideoProps {
  post: Post
  poster: string | null
  onFailed: () => void
}

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
        <time dateTime={new Date(createdAt).toISOString()}>
          {isGhost && <b>{GHOST_MARK} · </b>}
          {time}
        </time>
        {!session.isGuest() && <MenuButton label="Gönderi işlemleri" entries={entriesOf(post, ownerName)} />}
      </div>
      {description !== '' && (
        <p dir="auto">
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
          className="icon-button"
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

/** The photo of a post; a click opens it on the whole screen. */
function PostPhoto({ post, onOpen }: { post: Post; onOpen: () => void }): ReactNode {
  const { url, mediumUrl, blur } = post
  return (
    <PictureFrame
      source={mediumUrl ?? url}
      srcSet={srcSetOf(post)}
      sizes={SIZES}
      blur={blur}
      className="post-picture"
      style={{ aspectRatio: postFrame(post) }}
    >
      <button
        type="button"
        className="media-open"
        aria-label="Gönderinin fotoğrafını büyüt"
        aria-haspopup="dialog"
        onClick={onOpen}
      />
    </PictureFrame>
  )
}

/** The video of a post: its poster, until a click plays it in its place. One plays at a time. */
function PostVideo({ post }: { post: Post }): ReactNode {
  const [state, setState] = useState<'resting' | 'playing' | 'failed'>('resting')
  const { url, mediumUrl, thumbnailUrl, blur, durationMs } = post
  const poster = mediumUrl ?? thumbnailUrl
  if (state === 'playing') return <PlayingVideo post={post} poster={poster} onFailed={() => setState('failed')} />
  const length = durationMs === null ? null : audioTime(durationMs)
  const label = state === 'failed' ? 'Video oynatılamadı. Tekrar dene' : 'Gönderinin videosunu oynat'
  return (
    <PictureFrame source={poster} blur={blur} className="post-picture" style={{ aspectRatio: postFrame(post) }}>
      <button
        key={url}
        type="button"
        className="media-open"
        aria-label={length === null ? label : `${label}, ${length}`}
        onClick={() => setState('playing')}
      >
        {state === 'failed' ? (
          <span className="post-video-failure">{label}</span>
        ) : (
          <span className="media-play">
            <PlayIcon size={26} />
          </span>
        )}
        {length !== null && <span className="media-length">{length}</span>}
      </button>
    </PictureFrame>
  )
}

function PlayingVideo({ post, poster, onFailed }: PlayingVideoProps): ReactNode {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    playOneAtATime()
    video.current?.focus({ preventScroll: true })
    video.current?.play().catch(() => {}) // the browser's controls say it
  }, [])
  return (
    // biome-ignore lint/a11y/useMediaCaption: nobody writes captions for a post
    <video
      ref={video}
      style={{ aspectRatio: postFrame(post) }}
      src={post.url}
      poster={poster ?? undefined}
      aria-label="Video"
      controls
      playsInline
      onError={onFailed}
    />
  )
}
