import { type ReactNode, useState } from 'react'
import type { Media } from '../../shared/media/media.ts'
import { mediaPreviews } from '../../shared/media/previews.ts'

type ShownMedia = Pick<Media, 'mediaType' | 'originalPath' | 'thumbnailPath' | 'width' | 'height'>

/** A kept file. Pictures and videos are covered until they are asked for: they may be hard to look at. */
export function KeptMedia({ media }: { media: ShownMedia }): ReactNode {
  const [isShown, setShown] = useState(false)
  const { mediaType, originalPath, thumbnailPath } = media
  if (mediaType === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: nobody writes captions for a message
      <audio className="report-audio" controls preload="none" src={originalPath} />
    )
  if (!isShown)
    return (
      <button type="button" className="report-cover" onClick={() => setShown(true)}>
        {mediaPreviews[mediaType]} · Göster
      </button>
    )
  if (mediaType === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: as above
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
