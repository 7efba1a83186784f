import type { ReactNode } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { REPORT_LABEL } from '../../../../shared/reports/screen-texts.ts'
import { canReportCall, openCallReport } from '../../../model/calls/report-call.ts'
import { callAgain, canShareScreen, closeCall } from '../call-actions.ts'
import type { Call } from '../call-state.ts'
import { isActivePhase } from '../call-status.ts'
import {
  AcceptButton,
  CameraButton,
  DeclineButton,
  HangUpButton,
  MicrophoneButton,
  ScreenButton,
  SpeakerButton,
  VideoRequestButton,
} from './call-buttons.tsx'

interface CallControlsProps {
  call: Call
  /** In a box of a desktop, or on the screen of a phone. */
  frame: 'box' | 'screen'
}

/** What can be done in each state (specification 1, point 2, "Call window"). */
export function CallControls({ call, frame }: CallControlsProps): ReactNode {
  switch (call.phase) {
    case 'incoming':
      return (
        <div className="call-controls">
          <DeclineButton />
          <AcceptButton />
        </div>
      )
    case 'declined':
    case 'ended':
      return <EndedControls call={call} />
    default:
      return (
        <div className="call-controls">
          {isActivePhase(call.phase) && <MediaControls call={call} frame={frame} />}
          <HangUpButton />
        </div>
      )
  }
}

function MediaControls({ call, frame }: CallControlsProps): ReactNode {
  const { callType, isCameraOn, isMicrophoneOn, isSpeakerOn, isScreenShared, videoRequest } = call
  const isVideo = callType === 'video'
  return (
    <>
      {isVideo && <CameraButton isOn={isCameraOn} />}
      <MicrophoneButton isOn={isMicrophoneOn} />
      <SpeakerButton isOn={isSpeakerOn} />
      {!isVideo && <VideoRequestButton isWaiting={videoRequest !== null || call.phase !== 'connected'} />}
      {frame === 'box' && canShareScreen() && <ScreenButton isOn={isScreenShared} />}
    </>
  )
}

/** A call that ended without a click can be made again. */
function EndedControls({ call }: { call: Call }): ReactNode {
  return (
    <div className="call-controls">
      {canReportCall(call) && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openCallReport(call)}>
          {REPORT_LABEL}
        </button>
      )}
      <button type="button" className="button" onClick={closeCall}>
        {callTexts.close}
      </button>
      {call.canCallAgain && (
        <button type="button" className="button button--accent" onClick={() => void callAgain()}>
          {callTexts.callAgain}
        </button>
      )}
    </div>
  )
}
