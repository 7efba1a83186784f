import { unreachable } from '../../../shared/protocol/unreachable.ts'
import type { CallPerson } from '../../model/calls/call-person.ts'

export type CallType = 'voice' | 'video'
export type CallPhase = 'outgoing' | 'incoming' | 'connecting' | 'connected' | 'reconnecting' | 'declined' | 'ended'
export type CallQuality = 'good' | 'fair' | 'poor'

/** What a participant sends. */
export interface CallMedia {
  isMicrophoneOn: boolean
  isCameraOn: boolean
  isScreenShared: boolean
}

/** The call of this tab. Null stands for the idle state. */
export interface Call {
  /** Null until the request is answered. */
  callId: string | null
  phase: CallPhase
  // The call state of specification 1, point 3; the first four follow from `phase`.
  isCalling: boolean
  incomingCall: boolean
  callAccepted: boolean
  callDeclined: boolean
  callType: CallType
  selfUsername: string
  /** Null while it is unknown: shown as 'USER...'. */
  remoteUsername: string | null
  isCameraOn: boolean
  isMicrophoneOn: boolean
  isSpeakerOn: boolean
  other: CallPerson | null
  /** The other user is a root admin who passes privacy and blocks. */
  isStaff: boolean
  isScreenShared: boolean
  otherMedia: CallMedia
  /** A voice call that one of the two wants to make a video call. */
  videoRequest: 'sent' | 'received' | null
  /** Epoch milliseconds of this machine, for the duration. */
  connectedAt: number | null
  quality: CallQuality | null
  /** Turkish: why it ended or was declined. */
  endText: string | null
  /** An ended call that stays until it is dismissed, and offers to call again. */
  canCallAgain: boolean
  /** Turkish: what the browser refuses and what to do about it. */
  deviceText: string | null
  /** From both DTLS fingerprints, the same on both sides (security-code.ts). */
  securityCode: string | null
  localStream: MediaStream | null
  /** One object for the whole connection; its video track comes and goes with the other's camera. */
  remoteStream: MediaStream | null
  cameraFacing: 'user' | 'environment'
}

export type CallTransition =
  | { kind: 'start'; callType: CallType; selfUsername: string; other: CallPerson }
  | { kind: 'ring'; callId: string; callType: CallType; selfUsername: string; other: CallPerson; isStaff: boolean }
  /** A reloaded page rejoins the call that it had accepted. */
  | { kind: 'rejoin'; callId: string; callType: CallType; selfUsername: string; other: CallPerson; isStaff: boolean }
  | { kind: 'identify'; callId: string }
  | { kind: 'accept' }
  | { kind: 'connect'; at: number }
  | { kind: 'interrupt' }
  | { kind: 'decline'; text: string }
  | { kind: 'end'; text: string | null; canCallAgain?: boolean }
  | { kind: 'reset' }

/** The phases in which the two are bound to each other, from the request to the end. */
export function isOpen(call: Call | null): boolean {
  return call !== null && call.phase !== 'declined' && call.phase !== 'ended'
}

/**
 * The call after a transition (specification 1, point 4, "Call"). A transition that the phase does not have, as one that
 * arrives late, gives the same object.
 */
export function transition(call: Call | null, change: CallTransition): Call | null {
  switch (change.kind) {
    case 'start':
      return isOpen(call) ? call : { ...createCall(change), ...inPhase('outgoing') }
    case 'ring':
      return isOpen(call) ? call : { ...createCall(change), ...inPhase('incoming') }
    case 'rejoin':
      return isOpen(call) ? call : { ...createCall(change), ...inPhase('reconnecting') }
    case 'identify':
      return call?.phase === 'outgoing' && call.callId === null ? { ...call, callId: change.callId } : call
    case 'accept':
      return move(call, ['outgoing', 'incoming'], 'connecting')
    case 'connect':
      return move(call, ['connecting', 'reconnecting'], 'connected', { connectedAt: call?.connectedAt ?? change.at })
    case 'interrupt':
      return move(call, ['connected'], 'reconnecting')
    case 'decline':
      return move(call, ['outgoing'], 'declined', { endText: change.text, ...RELEASED })
    case 'end':
      return call && isOpen(call)
        ? {
            ...call,
            ...inPhase('ended'),
            endText: change.text,
            canCallAgain: change.canCallAgain ?? false,
            ...RELEASED,
          }
        : call
    case 'reset':
      return isOpen(call) ? call : null
    default:
      return unreachable(change)
  }
}

/** Of a finished call: the tracks are stopped by then. */
const RELEASED = { localStream: null, remoteStream: null, videoRequest: null, isScreenShared: false, quality: null }

function move(call: Call | null, from: CallPhase[], to: CallPhase, more: Partial<Call> = {}): Call | null {
  return call && from.includes(call.phase) ? { ...call, ...inPhase(to), ...more } : call
}

/** A phase with the specification's four fields. */
function inPhase(
  phase: CallPhase,
): Pick<Call, 'phase' | 'isCalling' | 'incomingCall' | 'callAccepted' | 'callDeclined'> {
  return {
    phase,
    isCalling: phase === 'outgoing',
    incomingCall: phase === 'incoming',
    callAccepted: phase === 'connecting' || phase === 'connected' || phase === 'reconnecting',
    callDeclined: phase === 'declined',
  }
}

interface NewCall {
  callId?: string
  callType: CallType
  selfUsername: string
  other: CallPerson
  isStaff?: boolean
}

/** Video calls begin with the camera on, voice calls with it off; microphone and speaker are on (specification 1, point 4). */
function createCall({
  callId,
  callType,
  selfUsername,
  other,
  isStaff,
}: NewCall): Omit<Call, keyof ReturnType<typeof inPhase>> {
  const isVideo = callType === 'video'
  return {
    callId: callId ?? null,
    callType,
    selfUsername,
    remoteUsername: other.username || null,
    isCameraOn: isVideo,
    isMicrophoneOn: true,
    isSpeakerOn: true,
    other,
    isStaff: isStaff ?? false,
    isScreenShared: false,
    otherMedia: { isMicrophoneOn: true, isCameraOn: isVideo, isScreenShared: false },
    videoRequest: null,
    connectedAt: null,
    quality: null,
    endText: null,
    canCallAgain: false,
    deviceText: null,
    securityCode: null,
    localStream: null,
    remoteStream: null,
    cameraFacing: 'user',
  }
}
