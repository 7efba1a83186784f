import * as v from 'valibot'
import { NameInput, UserSummary } from '../accounts/protocol.ts'
import { Count, command, ephemeralEvent, Text, Time } from '../protocol/define.ts'
import { UserId } from '../protocol/ids.ts'
import {
  CALL_CHANGE_LIMIT,
  CALL_MEDIA_LIMIT,
  CANDIDATE_LIMIT,
  DESCRIPTION_LIMIT,
  MAX_CANDIDATE_LENGTH,
  MAX_NEGOTIATIONS,
  MAX_SDP_LENGTH,
  MAX_SDP_MID_LENGTH,
  MAX_SDP_MLINE_INDEX,
  REJOIN_TIMEOUT_MS,
  RING_TIMEOUT_MS,
  VIDEO_REQUEST_LIMIT,
} from './limits.ts'

export const CallType = v.picklist(['voice', 'video'])
export type CallType = v.InferOutput<typeof CallType>
/** A UUID that the host region makes. */
export const CallId = v.pipe(v.string(), v.uuid())
/** The number of an offer within its call, rising from 1; an answer has that of its offer. */
const Negotiation = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_NEGOTIATIONS))

/** What a participant sends. It is told by signal because tracks do not fire for it. */
const mediaFields = { isMicrophoneOn: v.boolean(), isCameraOn: v.boolean(), isScreenShared: v.boolean() }
export const CallMedia = v.object(mediaFields)
export type CallMedia = v.InferOutput<typeof CallMedia>

/** Why a call is not accepted. A callee who is in another call counts as one who declined. */
export const DeclineReason = v.picklist(['declined', 'offline'])
export type DeclineReason = v.InferOutput<typeof DeclineReason>

/**
 * Why a call ended. `hangUp`: one of the two ended it, or the caller gave up. `answeredElsewhere` and `declinedElsewhere`:
 * for the other devices of the callee. `connectionLost`: a participant did not come back, or a side sent the relay nothing
 * valid for 20 s. `refused`: a ban, a block, a log-out, an ended session or changed privacy. `regionLost`: the host region
 * or the link to it is gone. `failed`: the relay is full.
 */
export const EndReason = v.picklist([
  'hangUp',
  'unanswered',
  'answeredElsewhere',
  'declinedElsewhere',
  'connectionLost',
  'refused',
  'regionLost',
  'failed',
])
export type EndReason = v.InferOutput<typeof EndReason>

const CallRole = v.picklist(['caller', 'callee'])
export type CallRole = v.InferOutput<typeof CallRole>
const VideoAction = v.picklist(['ask', 'accept', 'decline'])
export type VideoAction = v.InferOutput<typeof VideoAction>

/** A call as one of its participants sees it. */
export const CurrentCall = v.object({
  callId: CallId,
  callType: CallType,
  role: CallRole,
  other: UserSummary,
  /** The caller is a root admin, who passes privacy and blocks: the callee is told that it is the staff. */
  isStaff: v.boolean(),
  phase: v.picklist(['ringing', 'active']),
  connectedAt: v.nullable(Time),
  /** That of the last offer; the next one has a higher number. */
  negotiation: Count,
  otherMedia: CallMedia,
})
export type CurrentCall = v.InferOutput<typeof CurrentCall>

const callFields = { callId: CallId }
const descriptionFields = { ...callFields, negotiation: Negotiation, sdp: Text(MAX_SDP_LENGTH) }
const SuccessAnswer = v.object({ success: v.literal(true) })
const IceCandidate = v.object({
  /** RFC 8839, section 5.1; some browsers end with an empty one. */
  candidate: v.pipe(Text(MAX_CANDIDATE_LENGTH), v.regex(/^$|^(?:a=)?candidate:/)),
  sdpMid: v.optional(v.nullable(Text(MAX_SDP_MID_LENGTH))),
  sdpMLineIndex: v.optional(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SDP_MLINE_INDEX))),
  ),
})

const signedIn = { access: 'signedIn' } as const
const change = { ...signedIn, limiter: CALL_CHANGE_LIMIT, answer: SuccessAnswer }
const description = { ...signedIn, limiter: DESCRIPTION_LIMIT, answer: SuccessAnswer }

export const commands = {
  dmVoiceCallRequest: command({
    description:
      'Calls a user by voice or video. It rings on all their devices; `dmVoiceCallResponse` or `dmEndCall` follows, ' +
      `after ${RING_TIMEOUT_MS / 1000} s at the latest. \`role\` is \`callee\` if the other is calling the sender at the same ` +
      'time: `callId` and `callType` are then those of that call, which the sender accepts with `dmVoiceCallResponse`. Refused with ' +
      '`ContactRefused` by privacy or a block, with `CallBusy` if the sender is in a call. Every command with the ' +
      "`callId` of another user's call, or of none, is refused with `NoSuchCall`.",
    access: 'signedIn',
    // By user, by both users and by address, in the handler.
    limiter: null,
    identityFields: ['senderUsername'],
    input: v.object({
      senderUsername: v.optional(Text(64)),
      recipientUsername: NameInput,
      /** The id of the recipient if the client knows it; refused when it does not have this name. */
      recipientId: v.optional(UserId),
      callType: CallType,
    }),
    answer: v.object({ success: v.literal(true), callId: CallId, callType: CallType, role: CallRole }),
  }),
  dmVoiceCallResponse: command({
    description:
      'The callee accepts or declines; the first response of their devices counts. After an acceptance, which may say ' +
      'what the callee sends, `dmWebRTCOffer` follows.',
    ...change,
    input: v.object({ ...callFields, accepted: v.boolean(), ...v.partial(CallMedia).entries }),
  }),
  dmWebRTCOffer: command({
    description:
      'An offer, from the caller only. Before the acceptance it is kept for it, the latest one. A later offer is an ICE ' +
      'restart, or with `isNewConnection` that of a new RTCPeerConnection.',
    ...description,
    input: v.object({ ...descriptionFields, isNewConnection: v.optional(v.boolean(), false) }),
  }),
  dmWebRTCAnswer: command({
    description: 'The answer to the offer with the same `negotiation`, from the callee only.',
    ...description,
    input: v.object(descriptionFields),
  }),
  dmWebRTCIceCandidate: command({
    description:
      'A candidate of the sender, or null after the last one. The other side is told the end only: both speak to the ' +
      'relay, and neither learns an address of the other.',
    ...signedIn,
    limiter: CANDIDATE_LIMIT,
    // Null is left out of a frame.
    input: v.object({ ...callFields, candidate: v.nullish(IceCandidate) }),
    answer: SuccessAnswer,
  }),
  dmEndCall: command({
    description: 'Ends the call, or gives up while it rings.',
    ...change,
    input: v.object(callFields),
  }),
  dmCallMedia: command({
    description: 'The sender has turned the camera, the microphone or the shared screen on or off.',
    ...signedIn,
    limiter: CALL_MEDIA_LIMIT,
    input: v.object({ ...callFields, ...mediaFields }),
    answer: SuccessAnswer,
  }),
  dmCallVideo: command({
    description: 'Asks to turn a running voice call into a video call, or answers that.',
    ...signedIn,
    limiter: VIDEO_REQUEST_LIMIT,
    input: v.object({ ...callFields, action: VideoAction }),
    answer: SuccessAnswer,
  }),
  dmRenegotiate: command({
    description:
      'The callee asks the caller for a new offer: an ICE restart, or with `isNewConnection` one of a new ' +
      'RTCPeerConnection, as after a reload.',
    ...description,
    input: v.object({ ...callFields, isNewConnection: v.boolean() }),
  }),
  rejoinCall: command({
    description:
      'After a reload or a reconnection: this connection takes the place of the lost one of the same user, within ' +
      `${REJOIN_TIMEOUT_MS / 1000} s. The latest offer without an answer, or the latest answer, is sent again.`,
    ...signedIn,
    limiter: CALL_CHANGE_LIMIT,
    input: v.object(callFields),
    answer: v.object({ success: v.literal(true), call: CurrentCall }),
  }),
}

export const events = {
  dmVoiceCallRequest: ephemeralEvent({
    description:
      'A user calls; to all connections of the callee, and after a hello while it rings. `isStaff`: a root admin, who ' +
      'passes privacy and blocks.',
    payload: v.object({
      ...callFields,
      callType: CallType,
      senderUsername: v.string(),
      sender: UserSummary,
      isStaff: v.boolean(),
    }),
  }),
  dmVoiceCallResponse: ephemeralEvent({
    description: 'The callee has accepted, and sends this; or the call is over, for this reason. To the caller.',
    payload: v.object({
      ...callFields,
      accepted: v.boolean(),
      reason: v.optional(DeclineReason),
      ...v.partial(CallMedia).entries,
    }),
  }),
  dmCallCrossed: ephemeralEvent({
    description:
      'The other has called the caller at the same time, and that call goes on: `callId` is over, and the client accepts ' +
      '`acceptCallId`, of this type, as its callee with `dmVoiceCallResponse`. To the caller of the call that is over.',
    payload: v.object({ ...callFields, acceptCallId: CallId, callType: CallType }),
  }),
  dmWebRTCOffer: ephemeralEvent({
    description: "The caller's offer, with the relay in place of the caller; to the callee. It may be sent again.",
    payload: v.object({ ...descriptionFields, isNewConnection: v.boolean() }),
  }),
  dmWebRTCAnswer: ephemeralEvent({
    description: "The callee's answer, with the relay in place of the callee; to the caller. It may be sent again.",
    payload: v.object(descriptionFields),
  }),
  dmWebRTCIceCandidate: ephemeralEvent({
    description: 'The other participant has no more candidates. Their addresses are never sent.',
    payload: v.object({ ...callFields, candidate: v.null() }),
  }),
  dmEndCall: ephemeralEvent({
    description: 'The call is over. `text` says why in Turkish.',
    payload: v.object({ ...callFields, reason: EndReason, text: v.string() }),
  }),
  dmCallMedia: ephemeralEvent({
    description: 'What the other participant sends has changed.',
    payload: v.object({ ...callFields, ...mediaFields }),
  }),
  dmCallVideo: ephemeralEvent({
    description: 'The other participant asks for video, or answers.',
    payload: v.object({ ...callFields, action: VideoAction }),
  }),
  dmRenegotiate: ephemeralEvent({
    description: 'The callee needs a new offer; to the caller.',
    payload: v.object({ ...callFields, isNewConnection: v.boolean() }),
  }),
  currentCall: ephemeralEvent({
    description: 'After a hello: a call of this user waits for a participant who was lost. `rejoinCall` continues it.',
    payload: v.object({ call: CurrentCall }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { CurrentCall }
