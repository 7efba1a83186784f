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
import { UploadBar, UploadRing } from './upload-progress.tsx'
import './message-files.lazy.css'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { computed, type ReadonlySignal, signal } from '../../../core/signals/signal.ts'
import { HiddenIcon } from '../../media/picture-icons.tsx'
import type { Conversation } from '../conversation.ts'

const nothingHidden = signal(false)

/** The paths of hidden files that the viewer has asked to see, in this tab. */
export const revealedPaths = signal<ReadonlySet<string>>(new Set())

type MediaBubble = Bubble & { media: BubbleMedia }

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
      className="media-open"
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

/** In place of a stranger's picture or video: nothing of it is loaded or drawn. */
function HiddenMedia({ media }: { media: BubbleMedia }): ReactNode {
  const { mediaHiding } = useConversation()
  const allow = async (): Promise<void> => {
    const failure = (await mediaHiding?.allow()) ?? null
    if (failure !== null) await toast(failure, 'error')
  }
  return (
    <div className="media bubble-media media--hidden">
      <p className="row gap-tight strong bold">
        <HiddenIcon size={18} />
        {mediaPreviews[media.mediaType]}
      </p>
      <p>{mediaHiding?.reason}</p>
      <button type="button" onClick={() => revealMedia(media.originalPath)}>
        Göster
      </button>
      <button type="button" className="link-button" onClick={() => void allow()}>
        Bu kişinin resimlerini göster
      </button>
    </div>
  )
}

/** Whether the conversation hides files of the other users now. */
export function isHidingMedia({ mediaHiding }: Conversation): ReadonlySignal<boolean> {
  return mediaHiding?.isOn ?? nothingHidden
}

export function revealMedia(path: string): void {
  revealedPaths.value = new Set([...revealedPaths.peek(), path])
}

/** Whether the file of a message is hidden. Recordings are not: nothing of them is loaded or heard before a click. */
export function isMediaHidden({ isOwn, media }: Bubble, isHiding: boolean, revealed: ReadonlySet<string>): boolean {
  return isHiding && !isOwn && media !== undefined && media.mediaType !== 'audio' && !revealed.has(media.originalPath)
}

/** The pictures and videos of a conversation that are loaded and shown, oldest first. */
export function viewableBubbles(conversation: Conversation): ReadonlySignal<readonly MediaBubble[]> {
  const isHiding = isHidingMedia(conversation)
  return computed(() =>
    conversation.bubbles.value.filter(
      (bubble): bubble is MediaBubble =>
        bubble.media !== undefined &&
        bubble.media.mediaType !== 'audio' &&
        !isMediaHidden(bubble, isHiding.value, revealedPaths.value),
    ),
  )
}
