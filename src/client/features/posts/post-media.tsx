import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Post } from '../../../shared/posts/post.ts'
import { audioTime } from '../../model/media/audio/audio-time.ts'
import { playOneAtATime } from '../../model/media/audio/play-one-at-a-time.ts'
import { PlayIcon } from '../../model/media/icons.tsx'
import { PictureFrame } from '../../model/media/picture-frame.tsx'
import { postFrame, srcSetOf } from './composing/post-frame.ts'

/** The width of a card: that of the side panel, else that of the screen. */
const SIZES = '(width < 768px) 100vw, 480px'

/** The photo of a post; a click opens it on the whole screen. */
export function PostPhoto({ post, onOpen }: { post: Post; onOpen: () => void }): ReactNode {
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
export function PostVideo({ post }: { post: Post }): ReactNode {
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

interface PlayingVideoProps {
  post: Post
  poster: string | null
  onFailed: () => void
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
      className="post-video"
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
