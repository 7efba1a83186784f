import { type ReactNode, useEffect, useRef } from 'react'
import { callTexts } from '../../shared/calls/window-texts.ts'
import type { Call } from './call-store.ts'
import { playStream } from './remote-media.tsx'

/** One's own picture: mirrored, as in a mirror, where the front camera sends it. */
export function SelfView({ call, isLarge }: { call: Call; isLarge: boolean }): ReactNode {
  const { localStream, isCameraOn, isScreenShared, cameraFacing } = call
  const video = useRef<HTMLVideoElement>(null)
  const isShown = localStream !== null && (isCameraOn || isScreenShared)
  useEffect(() => {
    if (isShown && video.current) playStream(video.current, localStream)
  }, [isShown, localStream])
  if (!isShown) return null
  return (
    <video
      ref={video}
      className={isLarge ? 'call-self call-self--large' : 'call-self'}
      data-mirrored={!isScreenShared && cameraFacing === 'user'}
      aria-label={callTexts.ownPicture}
      autoPlay
      playsInline
      muted
    />
  )
}
