import type { ReactNode } from 'react'
import { callTexts } from '../../shared/calls/window-texts.ts'
import { MicrophoneIcon } from '../media/icons.tsx'
import {
  acceptCall,
  askForVideo,
  declineCall,
  endCall,
  flipCamera,
  toggleCamera,
  toggleMicrophone,
  toggleScreen,
  toggleSpeaker,
} from './call-actions.ts'
import {
  CallIcon,
  CameraIcon,
  CameraOffIcon,
  FlipIcon,
  HangUpIcon,
  MicrophoneOffIcon,
  ScreenIcon,
  SpeakerIcon,
  SpeakerOffIcon,
} from './icons.tsx'

interface CallButtonProps {
  label: string
  icon: ReactNode
  className?: string
  /** For a toggle. */
  isPressed?: boolean
  isDisabled?: boolean
  run: () => unknown
}

/** A round button of the call; its text is below it, or hidden where there is no space. */
function CallButton({ label, icon, className = '', isPressed, isDisabled = false, run }: CallButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`call-button ${className}`}
      title={label}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && void run()}
    >
      <span className="call-button-icon">{icon}</span>
      <span className="call-button-label">{label}</span>
    </button>
  )
}

export function AcceptButton(): ReactNode {
  return <CallButton label={callTexts.accept} icon={<CallIcon />} className="call-button--accept" run={acceptCall} />
}

export function DeclineButton(): ReactNode {
  return <CallButton label={callTexts.decline} icon={<HangUpIcon />} className="call-button--end" run={declineCall} />
}

export function HangUpButton(): ReactNode {
  return <CallButton label={callTexts.hangUp} icon={<HangUpIcon />} className="call-button--end" run={endCall} />
}

/** Its fill follows the level of the microphone (use-microphone-level.ts). */
export function MicrophoneButton({ isOn }: { isOn: boolean }): ReactNode {
  return (
    <CallButton
      label={callTexts.microphone}
      icon={isOn ? <MicrophoneIcon /> : <MicrophoneOffIcon />}
      className="call-button--microphone"
      isPressed={isOn}
      run={toggleMicrophone}
    />
  )
}

export function SpeakerButton({ isOn }: { isOn: boolean }): ReactNode {
  const icon = isOn ? <SpeakerIcon /> : <SpeakerOffIcon />
  return <CallButton label={callTexts.speaker} icon={icon} isPressed={isOn} run={toggleSpeaker} />
}

export function CameraButton({ isOn }: { isOn: boolean }): ReactNode {
  const icon = isOn ? <CameraIcon /> : <CameraOffIcon />
  return <CallButton label={callTexts.camera} icon={icon} isPressed={isOn} run={toggleCamera} />
}

export function FlipButton(): ReactNode {
  return <CallButton label={callTexts.flipCamera} icon={<FlipIcon />} run={flipCamera} />
}

export function ScreenButton({ isOn }: { isOn: boolean }): ReactNode {
  return (
    <CallButton
      label={callTexts.shareScreen}
      icon={<ScreenIcon />}
      className="call-button--screen"
      isPressed={isOn}
      run={toggleScreen}
    />
  )
}

/** Asks the other participant of a voice call for video. */
export function VideoRequestButton({ isWaiting }: { isWaiting: boolean }): ReactNode {
  return <CallButton label={callTexts.switchToVideo} icon={<CameraIcon />} isDisabled={isWaiting} run={askForVideo} />
}
