import { type CSSProperties, type ReactNode, useState } from 'react'
import { BrokenIcon } from './picture-icons.tsx'
import './media-view.lazy.css'

interface PictureFrameProps {
  /** The path of the picture; null where there is none, as of a video without a poster. */
  source: string | null
  /** The picture in other sizes, and the width of the frame, as `<img>` has them. */
  srcSet?: string | undefined
  sizes?: string | undefined
  /** A WebP picture of a few pixels in base64. */
  blur: string | null
  /** Of the frame, in the place where it is shown. */
  className: string
  /** The size of the frame. */
  style: CSSProperties
  /** Shown over the picture. */
  children: ReactNode
}

/** The reserved place of a picture: its blurred stand-in at once, the picture near the view. */
export function PictureFrame({
  source,
  srcSet,
  sizes,
  blur,
  className,
  style,
  children,
}: PictureFrameProps): ReactNode {
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading')
  return (
    <div className={`media ${className}`} style={style}>
      {blur !== null && status !== 'loaded' && <img src={`data:image/webp;base64,${blur}`} alt="" />}
      {status === 'failed' ? (
        <button type="button" className="media-failure" onClick={() => setStatus('loading')}>
          <BrokenIcon size={24} />
          <span>Yüklenemedi.</span> Tekrar dene
        </button>
      ) : (
        <>
          {source !== null && (
            <img
              className="media-picture"
              src={source}
              srcSet={srcSet}
              sizes={sizes}
              alt=""
              loading="lazy"
              decoding="async"
              draggable={false}
              data-status={status}
              onLoad={() => setStatus('loaded')}
              onError={() => setStatus('failed')}
            />
          )}
          {children}
        </>
      )}
    </div>
  )
}
