import type { ReactNode } from 'react'
import { callTexts, otherScreenText, videoRequestText } from '../../../../shared/calls/window-texts.ts'
import { AlertIcon } from '../../../core/ui/icons.tsx'
import { answerVideo } from '../call-actions.ts'
import type { Call } from '../call-state.ts'
import './call-notices.later.css'
import { remoteNameInText } from '../call-status.ts'

/** What the participant should know: devices that the browser refuses, screens that are shared, a request for video. */
export function CallNotices({ call }: { call: Call }): ReactNode {
  const notes = [
    call.videoRequest === 'sent' && callTexts.videoRequestSent,
    call.isScreenShared && callTexts.ownScreen,
    call.otherMedia.isScreenShared && otherScreenText(remoteNameInText(call)),
  ].filter((text) => text !== false)
  return (
    <div className="call-notices">
      <div className="call-notes" role="status">
        {call.deviceText !== null && (
          <p className="call-note call-note--warning">
            <AlertIcon size={18} />
            {call.deviceText}
          </p>
        )}
        {notes.map((text) => (
          <p key={text} className="call-note">
            {text}
          </p>
        ))}
      </div>
      {call.videoRequest === 'received' && <VideoRequest call={call} />}
    </div>
  )
}

function VideoRequest({ call }: { call: Call }): ReactNode {
  return (
    <div className="call-request">
      <p role="status">{videoRequestText(remoteNameInText(call))}</p>
      <button type="button" className="button" onClick={() => void answerVideo(false)}>
        {callTexts.decline}
      </button>
      <button type="button" className="button button--accent" onClick={() => void answerVideo(true)}>
        {callTexts.accept}
      </button>
    </div>
  )
}
