import {
  CALL_DECLINED_TEXT,
  endTexts,
  incomingCallTexts,
  outgoingCallTexts,
  UNKNOWN_CALLER_TEXT,
} from '../../../shared/calls/texts.ts'
import { callTexts } from '../../../shared/calls/window-texts.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import type { Call, CallPhase } from './call-state.ts'

/** The other participant's name as the window shows it. */
export function remoteName({ remoteUsername }: Pick<Call, 'remoteUsername'>): string {
  return remoteUsername === null || remoteUsername === '' ? UNKNOWN_CALLER_TEXT : remoteUsername
}

/** The same within a sentence. */
export function remoteNameInText(call: Pick<Call, 'remoteUsername'>): string {
  return isolateBidi(remoteName(call))
}

/** The state in words, shown and announced once each; the duration is beside it while connected. */
export function statusText({ phase, callType, endText }: Pick<Call, 'phase' | 'callType' | 'endText'>): string {
  switch (phase) {
    case 'outgoing':
      return outgoingCallTexts[callType]
    case 'incoming':
      return incomingCallTexts[callType]
    case 'declined':
      return endText ?? CALL_DECLINED_TEXT
    case 'ended':
      return endText ?? endTexts.hangUp
    default:
      return callTexts[phase]
  }
}

/** Whether the participants are in the call, as against ringing and what comes after it. */
export function isActivePhase(phase: CallPhase): boolean {
  return phase === 'connecting' || phase === 'connected' || phase === 'reconnecting'
}

/** A small card, a large avatar, or pictures with the rest above them. */
export type CallLayout = 'card' | 'avatar' | 'picture'

/** How the call is drawn in a box of a desktop, or on the screen of a phone. */
export function layoutOf(call: Call, frame: 'box' | 'screen'): CallLayout {
  const hasPictures = call.callType === 'video' || call.isScreenShared || call.otherMedia.isScreenShared
  // The caller sees the own picture while it rings.
  const isShown = isActivePhase(call.phase) || (call.phase === 'outgoing' && call.localStream !== null)
  if (hasPictures && isShown) return 'picture'
  return frame === 'box' ? 'card' : 'avatar'
}

/** Whether the other participant's picture can be seen. */
export function isPictureShown({ phase, callType, otherMedia, remoteStream }: Call): boolean {
  const isSent = otherMedia.isScreenShared || (callType === 'video' && otherMedia.isCameraOn)
  return isActivePhase(phase) && remoteStream !== null && isSent
}
