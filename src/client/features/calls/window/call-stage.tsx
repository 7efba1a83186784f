import type { ReactNode, RefObject } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { CameraOffIcon, MicrophoneOffIcon } from '../../../model/calls/icons.tsx'
import type { Call } from '../call-state.ts'
import { type CallLayout, isActivePhase, isPictureShown } from '../call-status.ts'
import { OtherAvatar } from './other-avatar.tsx'
import { RemoteMedia } from './remote-media.tsx'
import { SelfView } from './self-view.tsx'
import './call-stage.later.css'

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
        <ul className="call-marks">
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
    <li className="call-mark">
      {icon}
      {text}
    </li>
  )
}
