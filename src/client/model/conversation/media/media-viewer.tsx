import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { mediaPreviews } from '../../../../shared/media/previews.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import type { ReadonlySignal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { useModal } from '../../../core/ui/dialogs/use-modal.ts'
import { clockTime, dateText } from '../../../core/ui/format/turkish-time.ts'
import { ArrowIcon, CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import type { Size } from '../../media/media-box.ts'
import { DownloadIcon, ZoomIcon } from '../../media/picture-icons.tsx'
import { useZoom, type ZoomView } from '../../media/viewer/use-zoom.ts'
import type { BubbleMedia } from '../store/message-types.ts'
import { ViewedPicture, ViewedVideo } from './viewed-media.tsx'
import './media-viewer.css'

/** A picture or video with who sent it and when: a message or a post. */
export interface ViewableMedia {
  key: string
  media: ViewableFile
  /** The text below it; empty where there is none. */
  content: string
  sender: { username: string }
  /** Epoch milliseconds. */
  createdAt: number
}

type ViewableFile = Pick<BubbleMedia, 'mediaType' | 'originalPath' | 'thumbnailPath' | 'width' | 'height'>

interface MediaViewerProps extends OverlayProps {
  /** Everything that the viewer can step through; one that disappears from it is shown no longer. */
  source: ReadonlySignal<readonly ViewableMedia[]>
  /** Of the one that is shown first. */
  firstKey: string
}

const ZOOM_STEP = 1.5
/** Of a video or picture whose size is unknown until it loads. */
const FALLBACK_SIZE: Size = { width: 1280, height: 720 }

/** The pictures and videos of a conversation or of somebody's posts on the whole screen, one at a time. */
export function MediaViewer({ source, firstKey, onClose }: MediaViewerProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const items = useSignalValue(source, source.peek())
  const [shownKey, setShownKey] = useState(firstKey)
  const index = items.findIndex(({ key }) => key === shownKey)
  const item = items[index]
  useModal(dialog, onClose)
  // It was deleted, or hidden again.
  useEffect(() => {
    if (!item) onClose()
  }, [item, onClose])
  const step = (by: number): void => setShownKey(items[index + by]?.key ?? shownKey)
  return (
    <dialog ref={dialog} className="viewer" aria-label="Resimler ve videolar">
      {item && (
        <ViewedItem
          item={item}
          place={{ number: index + 1, count: items.length }}
          isFirst={shownKey === firstKey}
          step={step}
          onClose={onClose}
        />
      )}
    </dialog>
  )
}

interface ViewedItemProps extends OverlayProps {
  item: ViewableMedia
  place: { number: number; count: number }
  /** Whether the viewer has clicked this one, so that a video plays at once. */
  isFirst: boolean
  step: (by: number) => void
}

function ViewedItem({ item, place, isFirst, step, onClose }: ViewedItemProps): ReactNode {
  const { key, media, content } = item
  const isVideo = media.mediaType === 'video'
  const stage = useRef<HTMLDivElement>(null)
  const [picture, setPicture] = useFileSize(media)
  const view = useZoom(stage, {
    url: media.originalPath,
    picture,
    canZoom: !isVideo,
    onSwipe: (result) => {
      if (result === 'close') onClose()
      if (result === 'previous') step(-1)
      if (result === 'next') step(1)
    },
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    // A video moves its position by arrows.
    if (event.target instanceof HTMLVideoElement) return
    if (event.key === 'ArrowLeft') step(-1)
    else if (event.key === 'ArrowRight') step(1)
    else if (event.key === '+' && !isVideo) view.zoomBy(ZOOM_STEP)
    else if (event.key === '-' && !isVideo) view.zoomBy(1 / ZOOM_STEP)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole dialog, also after a click on the picture
    <div
      className="viewer-body"
      tabIndex={-1}
      data-dragged={view.drag !== null}
      style={dragStyle(view)}
      onKeyDown={onKeyDown}
    >
      <ViewerHead item={item} place={place} view={isVideo ? null : view} onClose={onClose} />
      <div ref={stage} className="viewer-stage" data-zoomed={view.zoom.scale > 1}>
        <div key={key} className="viewer-media" style={pictureStyle(view)}>
          {isVideo ? (
            <ViewedVideo media={media} onSize={setPicture} isPlaying={isFirst} />
          ) : (
            <ViewedPicture media={media} onSize={setPicture} />
          )}
        </div>
        {place.count > 1 && (
          <>
            <StepButton label="Önceki" isEnabled={place.number > 1} onPress={() => step(-1)} />
            <StepButton label="Sonraki" isEnabled={place.number < place.count} onPress={() => step(1)} />
          </>
        )}
      </div>
      {content !== '' && <p dir="auto">{content}</p>}
    </div>
  )
}

/** Who sent it and when, and the buttons. */
function ViewerHead({
  item: { media, sender, createdAt },
  place: { number, count },
  view,
  onClose,
}: Pick<ViewedItemProps, 'item' | 'place' | 'onClose'> & { view: ZoomView | null }): ReactNode {
  const time = `${dateText(createdAt)} ${clockTime(createdAt)}`
  const isZoomed = view !== null && view.zoom.scale > 1
  return (
    <header>
      <p role="status">
        <b className="truncate">
          <bdi>{sender.username}</bdi>
        </b>
        <span className="truncate">
          <span className="visually-hidden">{mediaPreviews[media.mediaType]} </span>
          {count > 1 && `${number} / ${count} · `}
          <time dateTime={new Date(createdAt).toISOString()}>{time}</time>
        </span>
      </p>
      {view && (
        <button
          type="button"
          className="viewer-button"
          aria-label="Yakınlaştır"
          aria-pressed={isZoomed}
          onClick={view.toggle}
        >
          <ZoomIcon />
        </button>
      )}
      <a className="viewer-button" aria-label="İndir" href={media.originalPath} download={fileName(media, createdAt)}>
        <DownloadIcon />
      </a>
      <button type="button" className="viewer-button" aria-label="Kapat" onClick={onClose}>
        <CloseIcon />
      </button>
    </header>
  )
}

interface StepButtonProps {
  label: 'Önceki' | 'Sonraki'
  isEnabled: boolean
  onPress: () => void
}

function StepButton({ label, isEnabled, onPress }: StepButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="viewer-button"
      data-step={label === 'Önceki' ? 'previous' : 'next'}
      aria-label={label}
      // Stays in place, so that the focus does.
      aria-disabled={!isEnabled}
      onClick={onPress}
    >
      <ArrowIcon />
    </button>
  )
}

/** The size of the file in pixels: the known one, else that of the loaded file. */
function useFileSize({ originalPath: url, width, height }: ViewableFile): [Size, (size: Size) => void] {
  const [loaded, setLoaded] = useState<{ url: string; size: Size } | null>(null)
  const known = width && height ? { width, height } : FALLBACK_SIZE
  return [loaded?.url === url ? loaded.size : known, (size) => setLoaded({ url, size })]
}

/** A drag moves the picture, and lets the page shine through when it goes down. */
function pictureStyle({ zoom, drag, fitted }: ZoomView): CSSProperties {
  const [x, y] = [zoom.x + (drag?.x ?? 0), zoom.y + (drag?.y ?? 0)]
  return { ...fitted, transform: `translate(${x}px, ${y}px) scale(${zoom.scale})` }
}

const FADE_PX = 400

function dragStyle({ drag }: ZoomView): CSSProperties {
  return { '--viewer-veil': `${Math.round(100 * Math.max(0.3, 1 - (drag?.y ?? 0) / FADE_PX))}%` } as CSSProperties // a custom property
}

/** `meydan-2026-11-23.webp`: the server's names say nothing to people. A local file has no ending. */
function fileName({ originalPath }: ViewableFile, createdAt: number): string {
  const ending = /\.\w+$/.exec(originalPath)?.[0] ?? ''
  return `meydan-${new Date(createdAt).toISOString().slice(0, 10)}${ending}`
}
