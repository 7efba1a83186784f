import type { ReactNode } from 'react'
import { fitMediaBox } from '../../media/media-box.ts'
import { usePart } from '../../use-part.ts'
import type { Bubble, BubbleMedia } from '../store/bubble.ts'

const load = () => import('../../media/media-view.tsx')

/**
 * The file of a message, whose view loads later: until then its place of the same size, blurred where there is a picture. By
 * attributes, because the page's policy forbids style attributes.
 */
export function MessageMedia(props: { bubble: Bubble; media: BubbleMedia }): ReactNode {
  const part = usePart(load)
  if (part) return <part.MediaView {...props} />
  const { blur, mediaType } = props.media
  const size = fitMediaBox(props.media)
  return (
    <div className={mediaType === 'audio' ? 'media-audio' : 'media'}>
      <svg {...size} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        {blur && <image {...size} preserveAspectRatio="xMidYMid slice" href={`data:image/webp;base64,${blur}`} />}
      </svg>
    </div>
  )
}
