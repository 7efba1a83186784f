import type { PersonLimit } from '../protocol/define.ts'

const MINUTE_MS = 60_000

/** A call that is not accepted ends after this. */
export const RING_TIMEOUT_MS = 45_000
/** A caller who is gone for this long while it rings has given up. */
export const CALLER_GONE_MS = 4_000
/** A callee without a connection for this long while it rings is offline: a page tries again after 5 s, or reloads. */
export const CALLEE_GONE_MS = 10_000
/** A participant of a running call whose connection closed may come back within this. */
export const REJOIN_TIMEOUT_MS = 10_000
/** A declined or ended call leaves the window after this (specification 1, point 4). */
export const CALL_RESULT_SHOWN_MS = 3_000

/** A session description, in UTF-16 units; those of browsers have 5,000 to 12,000. */
export const MAX_SDP_LENGTH = 32 * 1024
export const MAX_CANDIDATE_LENGTH = 512
export const MAX_SDP_MID_LENGTH = 16
export const MAX_SDP_MLINE_INDEX = 15
/** Offers of one call. */
export const MAX_NEGOTIATIONS = 1_000

/** Calls that one user starts. Each rings on all devices of the other, so it costs their attention. */
export const CALL_LIMIT: PersonLimit = { points: 20, perMs: 10 * MINUTE_MS }
/** The same to one other user; calls that are accepted cost nothing. */
export const SAME_USER_CALL_LIMIT: PersonLimit = { points: 4, perMs: 5 * MINUTE_MS }
/** All calls from one address, and those to one user: several accounts take turns otherwise (docs/trust.md). */
export const ADDRESS_CALL_LIMIT: PersonLimit = { points: 60, perMs: 10 * MINUTE_MS }
export const ADDRESS_SAME_USER_CALL_LIMIT: PersonLimit = { points: 12, perMs: 10 * MINUTE_MS }
/**
 * Calls of one user from users whom they do not follow, which accounts of many addresses make in turns; accepted ones cost
 * nothing. More neither ring nor leave a notification, and are told as those to a user in a call.
 */
export const STRANGER_CALL_LIMIT: PersonLimit = { points: 20, perMs: 10 * MINUTE_MS }
/** Sides of calls at once of the users of one address: a relay has room for some hundreds of calls. */
export const MAX_CALL_SIDES_PER_ADDRESS = 60

/** Offers, answers and requests for new offers of one user: a network that changes every few seconds. */
export const DESCRIPTION_LIMIT: PersonLimit = { points: 30, perMs: MINUTE_MS }
/** Candidates of one user: about 20 for each offer on a computer with many interfaces. */
export const CANDIDATE_LIMIT: PersonLimit = { points: 300, perMs: MINUTE_MS }
/** Answers, ends and rejoins. */
export const CALL_CHANGE_LIMIT: PersonLimit = { points: 60, perMs: MINUTE_MS }
/** Changes of camera, microphone and screen; apart, so that no number of them holds up the end of a call. */
export const CALL_MEDIA_LIMIT: PersonLimit = { points: 60, perMs: MINUTE_MS }
/** Requests to turn a voice call into a video call. */
export const VIDEO_REQUEST_LIMIT: PersonLimit = { points: 12, perMs: MINUTE_MS }
