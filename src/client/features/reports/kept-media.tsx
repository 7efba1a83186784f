import { type ReactNode, useState } from 'react'
import type { Media } from '../../../shared/media/media.ts'
import { mediaPreviews } from '../../../shared/media/previews.ts'
import { AudioPlayer } from '../../model/media/audio/audio-player.tsx'

type ShownMedia = Pick<Media, 'mediaType' | 'originalPath' | 'thumbnailPath' | 'width' | 'height'> &
  Partial<Pick<Media, 'durationMs' | 'waveform'>>

/** A kept file. Pictures and videos are covered until they are asked for: they may be hard to look at. */
export function KeptMedia({ media }: { media: ShownMedia }): ReactNode {
  const [isShown, setShown] = useState(false)
  const { mediaType, originalPath, thumbnailPath, durationMs = null, waveform = null } = media
  if (mediaType === 'audio')
    return <AudioPlayer url={originalPath} durationMs={durationMs} waveform={waveform} label={mediaPreviews.audio} />
  if (!isShown)
    return (
      <button type="button" className="report-cover" onClick={() => setShown(true)}>
        {mediaPreviews[mediaType]} · Göster
      </button>
    )
  if (mediaType === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: nobody writes captions for a message or a post
      <video
        className="report-picture"
        controls
        preload="none"
        src={originalPath}
        poster={thumbnailPath ?? undefined}
      />
    )
  return (
    <a href={originalPath} target="_blank" rel="noreferrer">
      <img className="report-picture" src={thumbnailPath ?? originalPath} alt={mediaPreviews.image} />
    </a>
  )
}
