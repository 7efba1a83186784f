import { type ReactNode, useState } from 'react'
import type { Size } from '../../media/media-box.ts'
import { BrokenIcon } from '../../media/picture-icons.tsx'
import type { BubbleMedia } from '../store/message-types.ts'

interface ViewedMediaProps {
  media: Pick<BubbleMedia, 'originalPath' | 'thumbnailPath'>
  /** Its size became known, in pixels of the file. */
  onSize: (size: Size) => void
}

/** A picture over its thumbnail, which is there already. */
export function ViewedPicture({ media, onSize }: ViewedMediaProps): ReactNode {
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const { originalPath, thumbnailPath } = media
  if (status === 'failed') return <ViewedFailure onRetry={() => setStatus('loading')} />
  return (
    <>
      {thumbnailPath !== null && status === 'loading' && <img src={thumbnailPath} alt="" draggable={false} />}
      {status === 'loading' && <span className="spinner" role="status" aria-label="Yükleniyor" />}
      <img
        src={originalPath}
        alt="Fotoğraf"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          onSize({ width, height })
          setStatus('loaded')
        }}
        onError={() => setStatus('failed')}
      />
    </>
  )
}

/** A video with the browser's controls; nothing of it loads before it plays. */
export function ViewedVideo({ media, onSize, isPlaying }: ViewedMediaProps & { isPlaying: boolean }): ReactNode {
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <ViewedFailure onRetry={() => setFailed(false)} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: nobody writes captions for a message or a post
    <video
      src={media.originalPath}
      poster={media.thumbnailPath ?? undefined}
      aria-label="Video"
      controls
      playsInline
      preload="none"
      autoPlay={isPlaying}
      onLoadedMetadata={({ currentTarget: { videoWidth: width, videoHeight: height } }) => {
        if (width > 0 && height > 0) onSize({ width, height })
      }}
      onError={() => setFailed(true)}
    />
  )
}

function ViewedFailure({ onRetry }: { onRetry: () => void }): ReactNode {
  return (
    <p role="alert">
      <BrokenIcon size={32} />
      <span>Bu dosya açılamadı.</span>
      <button type="button" className="viewer-button" onClick={onRetry}>
        Tekrar dene
      </button>
    </p>
  )
}
