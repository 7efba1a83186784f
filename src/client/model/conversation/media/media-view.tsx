import type { ReactNode } from 'react'
import { mediaPreviews } from '../../../../shared/media/previews.ts'
import { openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { AudioPlayer } from '../../media/audio/audio-player.tsx'
import { audioTime } from '../../media/audio/audio-time.ts'
import { PlayIcon } from '../../media/icons.tsx'
import { fitMediaBox } from '../../media/media-box.ts'
import { PictureFrame } from '../../media/picture-frame.tsx'
import { useConversation } from '../conversation-context.ts'
import type { Bubble, BubbleMedia } from '../store/message-types.ts'
import { messageName } from '../thread/message-name.ts'
import { isHidingMedia, isMediaHidden, revealedPaths, viewableBubbles } from './hidden-media.ts'
import { HiddenMedia } from './hidden-media-view.tsx'
import { UploadBar, UploadRing } from './upload-progress.tsx'
import './message-files.later.css'

interface MediaViewProps {
  bubble: Bubble
  media: BubbleMedia
}

/** The file of a message, above its text. */
export function MediaView({ bubble, media }: MediaViewProps): ReactNode {
  const conversation = useConversation()
  const isHiding = useSignalValue(isHidingMedia(conversation), false)
  const revealed = useSignalValue(revealedPaths, revealedPaths.peek())
  if (isMediaHidden(bubble, isHiding, revealed)) return <HiddenMedia media={media} />
  const { mediaType, upload, originalPath, durationMs, waveform } = media
  const cancel = (): void => conversation.files.peek()?.cancelUpload(bubble.key)
  const open = (): void =>
    void openOverlay('mediaViewer', { source: viewableBubbles(conversation), firstKey: bubble.key })
  if (mediaType === 'audio')
    return (
      <div className="media-audio">
        <AudioPlayer url={originalPath} durationMs={durationMs} waveform={waveform} label={mediaPreviews.audio} />
        {upload && <UploadBar upload={upload} onCancel={cancel} />}
      </div>
    )
  return (
    <PictureBox media={media}>
      {upload ? (
        <UploadRing upload={upload} onCancel={cancel} />
      ) : (
        <OpenButton media={media} name={messageName(bubble)} onOpen={open} />
      )}
    </PictureBox>
  )
}

/** The place of a picture or of a video's poster. */
function PictureBox({ media, children }: { media: BubbleMedia; children: ReactNode }): ReactNode {
  const { mediaType, blur, thumbnailPath, originalPath } = media
  const { width, height } = fitMediaBox(media)
  const source = thumbnailPath ?? (mediaType === 'image' ? originalPath : null)
  return (
    <PictureFrame
      source={source}
      blur={blur}
      className="bubble-media"
      style={{ width, aspectRatio: `${width} / ${height}` }}
    >
      {children}
    </PictureFrame>
  )
}

interface OpenButtonProps {
  media: BubbleMedia
  /** The message's, for the accessible name. */
  name: string
  onOpen: () => void
}

function OpenButton({ media, name, onOpen }: OpenButtonProps): ReactNode {
  const { mediaType, durationMs } = media
  const isVideo = mediaType === 'video'
  const length = durationMs === null ? null : audioTime(durationMs)
  const label = [isVideo ? 'Videoyu oynat' : 'Fotoğrafı büyüt', isVideo && length].filter(Boolean).join(', ')
  return (
    <button
      type="button"
      className="media-open bubble-media-open"
      aria-label={`${label}: ${name}`}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {isVideo && (
        <span className="media-play">
          <PlayIcon size={26} />
        </span>
      )}
      {isVideo && length !== null && <span className="media-length">{length}</span>}
    </button>
  )
}
