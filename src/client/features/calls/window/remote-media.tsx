import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef } from 'react'
import { applySpeaker } from '../call-actions.ts'

interface RemoteMediaProps {
  stream: MediaStream | null
  /** Its picture is shown; its sound plays in any case. */
  isShown: boolean
  /** Where the element is found, for picture-in-picture. */
  video?: RefObject<HTMLVideoElement | null>
}

/** Plays what the other participant sends: one element for both, so that the lips match the sound. */
export function RemoteMedia({ stream, isShown, video }: RemoteMediaProps): ReactNode {
  const own = useRef<HTMLVideoElement>(null)
  const element = video ?? own
  useEffect(() => {
    const { current } = element
    if (!current || !stream) return
    playStream(current, stream)
    void applySpeaker(current)
    return () => {
      current.srcObject = null
    }
  }, [element, stream])
  return (
    // biome-ignore lint/a11y/useMediaCaption: a live call has no captions
    <video ref={element} className="call-remote" data-shown={isShown} autoPlay playsInline onResize={noteShape} />
  )
}

/** A picture that is upright is not cropped into a box that lies on its side, nor the reverse (call-window.lazy.css). */
function noteShape({ currentTarget: { videoWidth, videoHeight, dataset } }: SyntheticEvent<HTMLVideoElement>): void {
  dataset.shape = videoHeight > videoWidth ? 'upright' : 'wide'
}

/** Plays; a browser that does not allow it before a click does so at the next one. */
export function playStream(video: HTMLVideoElement, stream: MediaStream): void {
  if (video.srcObject !== stream) video.srcObject = stream
  video.play().catch(() => {
    if (video.srcObject === stream)
      addEventListener('pointerdown', () => video.play().catch(() => {}), { capture: true, once: true })
  })
}
