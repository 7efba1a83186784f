import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { CallMedia, CallRole, CallType, CurrentCall } from '../../../shared/calls/protocol.ts'
import { initialMedia } from '../../../shared/calls/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type CallSender, type ConnectionRef, isSameConnection } from './call-commands.ts'
import type { CallEntry } from './call-directory.ts'
import type { RelayCall } from './relay/relay-call.ts'

/** One side of a call. */
export interface Participant {
  readonly role: CallRole
  readonly user: UserSummary
  /** The connection that speaks for the side; null for a callee who has not accepted. */
  connection: CallSender | null
  /** Since when that connection is gone, by the monotonic clock; null while it is there. */
  lostAt: number | null
  /** While it rings: since when the region of the caller's connection cannot be reached, or the callee has no connection. */
  unreachableSince: number | null
  media: CallMedia
}

/** A call that this region hosts. */
export interface HostedCall {
  readonly callId: string
  callType: CallType
  readonly isStaff: boolean
  /** The caller is ghost-banned: to the caller it rings and is not answered, and the callee knows nothing of it. */
  readonly isHidden: boolean
  readonly caller: Participant
  readonly callee: Participant
  /** By the monotonic clock. */
  readonly ringingSince: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** When it was accepted, in epoch milliseconds; null while it rings. */
  connectedAt: number | null
  /** The latest offer as the caller sent it. */
  offer: { negotiation: number; sdp: string; isNewConnection: boolean } | null
  /** The same as the callee got it, until it is answered. */
  sentOffer: { negotiation: number; sdp: string; isNewConnection: boolean } | null
  /** The answer to it, as the caller got it. */
  sentAnswer: { negotiation: number; sdp: string } | null
  /** What the callee has asked the caller for since the latest offer. */
  renegotiation: { isNewConnection: boolean } | null
  /** Who has asked for video and waits for an answer. */
  videoAskedBy: CallRole | null
  /** Opened with the acceptance. */
  relay: RelayCall | null
}

export function createHostedCall(
  start: Pick<HostedCall, 'callId' | 'callType' | 'ringingSince' | 'startedAt' | 'isHidden'>,
  caller: { user: UserSummary; connection: CallSender },
  callee: UserSummary,
): HostedCall {
  const side = { lostAt: null, unreachableSince: null, media: initialMedia(start.callType) }
  return {
    ...start,
    isStaff: caller.user.role === 'rootadmin',
    caller: { ...side, role: 'caller', ...caller },
    callee: { ...side, role: 'callee', user: callee, connection: null },
    ...{ connectedAt: null, offer: null, sentOffer: null, sentAnswer: null, renegotiation: null },
    ...{ videoAskedBy: null, relay: null },
  }
}

export function otherSide(call: HostedCall, { role }: Participant): Participant {
  return role === 'caller' ? call.callee : call.caller
}

/** The side that this connection speaks for. */
export function findSide(call: HostedCall, connection: ConnectionRef): Participant | null {
  const isOwn = (side: Participant) => side.connection !== null && isSameConnection(side.connection, connection)
  return [call.caller, call.callee].find(isOwn) ?? null
}

/** The side of a user who takes part. */
export function sideOfUser({ caller, callee, isHidden }: HostedCall, userId: UserId): Participant | null {
  const sides = isHidden ? [caller] : [caller, callee]
  return sides.find(({ user }) => user.id === userId) ?? null
}

export function toEntry(call: HostedCall): CallEntry {
  const { callId, callType, caller, callee, connectedAt, startedAt, isHidden } = call
  const users = { callerId: caller.user.id, calleeId: callee.user.id }
  return { callId, callType, ...users, isActive: connectedAt !== null, startedAt, isHidden }
}

/** The call as one side sees it. */
export function toCurrentCall(call: HostedCall, side: Participant): CurrentCall {
  const other = otherSide(call, side)
  return {
    callId: call.callId,
    callType: call.callType,
    role: side.role,
    other: other.user,
    isStaff: call.isStaff,
    phase: call.connectedAt === null ? 'ringing' : 'active',
    connectedAt: call.connectedAt,
    negotiation: call.offer?.negotiation ?? 0,
    otherMedia: other.media,
  }
}
