import { type ReactNode, useEffect, useRef } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { FlipIcon } from '../../../model/calls/icons.tsx'
import { flipCamera } from '../call-actions.ts'
import type { Call } from '../call-state.ts'
import { playStream } from './remote-media.tsx'

interface SelfViewProps {
  call: Call
  /** Phones have a front and a back camera. */
  canFlip: boolean
}

/** One's own picture, which fills the stage until somebody answers: mirrored where the front camera sends it. */
export function SelfView({ call, canFlip }: SelfViewProps): ReactNode {
  const { localStream, isCameraOn, isScreenShared, cameraFacing } = call
  const video = useRef<HTMLVideoElement>(null)
  const isShown = localStream !== null && (isCameraOn || isScreenShared)
  useEffect(() => {
    if (isShown && video.current) playStream(video.current, localStream)
  }, [isShown, localStream])
  if (!isShown) return null
  return (
    <div className={call.phase === 'outgoing' ? 'call-self call-self--large' : 'call-self'}>
      <video
        ref={video}
        data-mirrored={!isScreenShared && cameraFacing === 'user'}
        aria-label={callTexts.ownPicture}
        autoPlay
        playsInline
        muted
      />
      {canFlip && isCameraOn && (
        <button
          type="button"
          className="call-flip"
          aria-label={callTexts.flipCamera}
          title={callTexts.flipCamera}
          onClick={() => void flipCamera()}
        >
          <FlipIcon />
        </button>
      )}
    </div>
  )
}
