import type { ReactNode } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import {
  CallIcon,
  CameraIcon,
  CameraOffIcon,
  HangUpIcon,
  MicrophoneOffIcon,
  ScreenIcon,
  SpeakerIcon,
  SpeakerOffIcon,
} from '../../../model/calls/icons.tsx'
import { MicrophoneIcon } from '../../../model/media/icons.tsx'
import {
  acceptCall,
  askForVideo,
  declineCall,
  endCall,
  toggleCamera,
  toggleMicrophone,
  toggleScreen,
  toggleSpeaker,
} from '../call-actions.ts'
import './call-controls.lazy.css'

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
      <span>{icon}</span>
      <span>{label}</span>
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

/** A button of what the participant sends or hears; what is off stands out. */
function MediaToggle({ isOn, ...button }: Omit<CallButtonProps, 'isPressed'> & { isOn: boolean }) {
  return <CallButton {...button} isPressed={isOn} />
}

/** Its fill follows the level of the microphone (call-view.tsx). */
export function MicrophoneButton({ isOn }: { isOn: boolean }): ReactNode {
  const icon = isOn ? <MicrophoneIcon /> : <MicrophoneOffIcon />
  const { microphone } = callTexts
  return (
    <MediaToggle
      label={microphone}
      icon={icon}
      className="call-button--microphone"
      isOn={isOn}
      run={toggleMicrophone}
    />
  )
}

export function SpeakerButton({ isOn }: { isOn: boolean }): ReactNode {
  const icon = isOn ? <SpeakerIcon /> : <SpeakerOffIcon />
  return <MediaToggle label={callTexts.speaker} icon={icon} isOn={isOn} run={toggleSpeaker} />
}

export function CameraButton({ isOn }: { isOn: boolean }): ReactNode {
  const icon = isOn ? <CameraIcon /> : <CameraOffIcon />
  return <MediaToggle label={callTexts.camera} icon={icon} isOn={isOn} run={toggleCamera} />
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
