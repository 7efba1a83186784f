import { type ReactNode, useRef } from 'react'
import { callTexts, callTypeNames } from '../../../../shared/calls/window-texts.ts'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import type { Call } from '../call-state.ts'
import { remoteName, statusText } from '../call-status.ts'
import { AcceptButton, DeclineButton, HangUpButton, MicrophoneButton } from './call-buttons.tsx'
import { CallDuration } from './call-duration.tsx'
import { isCallMinimised } from './call-window-state.ts'
import { RemoteMedia } from './remote-media.tsx'
import { useCallFocus } from './use-call-focus.ts'
import './call-bar.later.css'

const restore = (): void => {
  isCallMinimised.value = false
}

/** A minimised call: a bar below the page's header that leads back to it. */
export function CallBar({ call }: { call: Call }): ReactNode {
  const bar = useRef<HTMLElement>(null)
  useCallFocus(bar)
  return (
    <section ref={bar} className="call-bar" aria-label={callTypeNames[call.callType]} tabIndex={-1}>
      <RemoteMedia stream={call.remoteStream} isShown={false} />
      <button type="button" className="call-bar-open" aria-describedby="call-status" onClick={restore}>
        {call.other && <Avatar user={call.other} size={32} />}
        <span className="call-bar-text">
          <b>
            <bdi>{remoteName(call)}</bdi>
          </b>
          <span className="visually-hidden">{`: ${callTexts.restore}`}</span>
          <span className="call-bar-status">
            {call.phase === 'connected' ? <CallDuration since={call.connectedAt} /> : statusText(call)}
          </span>
        </span>
      </button>
      <p id="call-status" className="visually-hidden" role="status">
        {statusText(call)}
      </p>
      <BarButtons call={call} />
    </section>
  )
}

function BarButtons({ call }: { call: Call }): ReactNode {
  switch (call.phase) {
    case 'incoming':
      return (
        <>
          <DeclineButton />
          <AcceptButton />
        </>
      )
    case 'declined':
    case 'ended':
      return null
    default:
      return (
        <>
          <MicrophoneButton isOn={call.isMicrophoneOn} />
          <HangUpButton />
        </>
      )
  }
}
