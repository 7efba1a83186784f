import { type ReactNode, useEffect } from 'react'
import { loadPart } from '../../../core/loading/load-part.ts'
import { signal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { fitMediaBox } from '../../media/media-box.ts'
import type { Bubble, BubbleMedia } from '../store/message-types.ts'
import './message-media.css'

type MediaPart = typeof import('../media/media-view.tsx')

const loaded = signal<MediaPart | null>(null)

async function load(): Promise<void> {
  loaded.value ??= await loadPart(() => import('../media/media-view.tsx'))
}

/**
 * The file of a message, whose view loads later: until then its place of the same size, blurred where there is a picture. By
 * attributes, because the page's policy forbids style attributes.
 */
export function MessageMedia(props: { bubble: Bubble; media: BubbleMedia }): ReactNode {
  const part = useSignalValue(loaded, null)
  useEffect(() => void load(), [])
  if (part) return <part.MediaView {...props} />
  const { blur, mediaType } = props.media
  const size = fitMediaBox(props.media)
  return (
    <div className={mediaType === 'audio' ? 'media-audio' : 'media bubble-media'}>
      <svg {...size} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        {blur && <image {...size} preserveAspectRatio="xMidYMid slice" href={`data:image/webp;base64,${blur}`} />}
      </svg>
    </div>
  )
}
