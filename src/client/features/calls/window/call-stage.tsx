import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { CameraOffIcon, FlipIcon, MicrophoneOffIcon } from '../../../model/calls/icons.tsx'
import type { Call } from '../call-state.ts'
import { type CallLayout, isActivePhase, isPictureShown } from '../call-status.ts'
import { OtherAvatar } from './other-avatar.tsx'
import { playStream, RemoteMedia } from './remote-media.tsx'
import './call-stage.lazy.css'
import { flipCamera } from '../call-actions.ts'

interface SelfViewProps {
  call: Call
  /** Phones have a front and a back camera. */
  canFlip: boolean
}

interface CallStageProps {
  call: Call
  frame: 'box' | 'screen'
  layout: CallLayout
  video: RefObject<HTMLVideoElement | null>
}

/** The pictures of both, or the other participant's avatar. */
export function CallStage({ call, frame, layout, video }: CallStageProps): ReactNode {
  const { otherMedia, callType, isMicrophoneOn } = call
  const isShown = isPictureShown(call)
  const isActive = isActivePhase(call.phase)
  return (
    <div className="call-stage" data-sharing={otherMedia.isScreenShared}>
      {layout !== 'card' && (
        <div className="call-portrait">
          <OtherAvatar call={call} size={layout === 'avatar' ? 128 : 96} />
        </div>
      )}
      <RemoteMedia stream={call.remoteStream} isShown={isShown} video={video} />
      {isActive && (
        <ul>
          {callType === 'video' && !isShown && call.phase === 'connected' && (
            <Mark icon={<CameraOffIcon size={16} />} text={callTexts.otherCameraOff} />
          )}
          {!otherMedia.isMicrophoneOn && (
            <Mark icon={<MicrophoneOffIcon size={16} />} text={callTexts.otherMicrophoneOff} />
          )}
          {!isMicrophoneOn && <Mark icon={<MicrophoneOffIcon size={16} />} text={callTexts.ownMicrophoneOff} />}
        </ul>
      )}
      {layout === 'picture' && <SelfView call={call} canFlip={frame === 'screen'} />}
    </div>
  )
}

function Mark({ icon, text }: { icon: ReactNode; text: string }): ReactNode {
  return (
    <li>
      {icon}
      {text}
    </li>
  )
}

/** One's own picture, which fills the stage until somebody answers: mirrored where the front camera sends it. */
function SelfView({ call, canFlip }: SelfViewProps): ReactNode {
  const { localStream, isCameraOn, isScreenShared, cameraFacing } = call
  const video = useRef<HTMLVideoElement>(null)
  const isShown = localStream !== null && (isCameraOn || isScreenShared)
  useEffect(() => {
    if (isShown && video.current) playStream(video.current, localStream)
  }, [isShown, localStream])
  if (!isShown) return null
  return (
    <div className="call-self">
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
