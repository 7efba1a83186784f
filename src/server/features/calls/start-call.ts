import { randomUUID } from 'node:crypto'
import { SAME_USER_CALL_LIMIT, STRANGER_CALL_LIMIT } from '../../../shared/calls/limits.ts'
import type { CallType } from '../../../shared/calls/protocol.ts'
import { TOO_MANY_CALLS_TEXT } from '../../../shared/calls/texts.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'
import { toUserSummary, type UserRow } from '../../model/accounts/queries.ts'
import { getParticipants, type Participants } from '../../model/relations/access.ts'
import { followStatusOf } from '../../model/relations/queries.ts'
import { findRestriction } from '../../model/restrictions/queries.ts'
import { checkCall } from './call-access.ts'
import type { CallAnswer, CallCommand, CallSender } from './call-commands.ts'
import { type LocatedCall, MAX_CALLS_PER_REGION } from './call-directory.ts'
import type { CallHost } from './call-host.ts'
import { createHostedCall } from './hosted-call.ts'

/**
 * Starts a call at its host, which checks it again: the other region may not know the latest block. A callee who is in
 * another call, or whom strangers have called too often, counts as one who declines; both that and one who is offline are
 * told after the answer.
 */
export function startCall(
  host: CallHost,
  { sender, input }: CallCommand<'dmVoiceCallRequest'>,
): CallAnswer<'dmVoiceCallRequest'> {
  const { reader, directory } = host.options
  const participants = getParticipants(reader, sender.userId, input.recipientId ?? 0)
  if (!participants) return refuse('NotFound')
  const { own, other } = participants
  const ownCalls = directory.callsOf(own.id)
  const crossing = findCrossing(ownCalls, other.id)
  if (crossing) return { success: true, callId: crossing.callId, callType: crossing.callType, role: 'callee' }
  if (ownCalls.length > 0) return refuse('CallBusy')
  const refused = checkStart(host, participants, input.callType)
  if (refused) return refused
  const callId = randomUUID()
  const mayDisturb = takeStrangerCall(host, participants)
  const refusal = findRefusal(host, other, mayDisturb)
  if (!refusal) host.add(createCall(host, callId, participants, sender, input.callType))
  else {
    tellRefusal(host, callId, sender, refusal)
    const isHidden = own.isGhost === 1 || other.isGhost === 1
    if (mayDisturb && !isHidden) recordMissed(host, callId, input.callType, participants)
  }
  return { success: true, callId, callType: input.callType, role: 'caller' }
}

/** The ringing call of the other to the one who calls them now. */
export function findCrossing(ownCalls: readonly LocatedCall[], otherId: UserId): LocatedCall | undefined {
  return ownCalls.find(({ isActive, callerId }) => !isActive && callerId === otherId)
}

/** Counted by the host and not in the caller's region: calls from several regions reach the same host. */
function callsToUser(callerId: UserId, calleeId: UserId): Charge[] {
  return [{ limit: SAME_USER_CALL_LIMIT, key: `${callerId}>${calleeId}`, points: 1 }]
}

/** What a call costs unless it is accepted. */
export function unansweredCharges(callerId: UserId, calleeId: UserId): Charge[] {
  return [...callsToUser(callerId, calleeId), { limit: STRANGER_CALL_LIMIT, key: calleeId, points: 1 }]
}

/**
 * Whether a call may ring or leave a notification: always that of a user whom the callee follows, and so many of others. That
 * of a ghost-banned user, which does neither, takes nothing from the others.
 */
function takeStrangerCall({ options }: CallHost, { own, other }: Participants): boolean {
  const { reader, personLimiters, clock } = options
  const isWelcome =
    own.role === 'rootadmin' ||
    followStatusOf(reader, { userId: other.id, role: other.role }, other.id, own.id) === 'following'
  if (isWelcome) return true
  const charge = { limit: STRANGER_CALL_LIMIT, key: other.id, points: 1 }
  const mayDisturb = personLimiters.consumeAll([charge], clock()) === 0
  if (mayDisturb && own.isGhost === 1) personLimiters.refundAll([charge])
  return mayDisturb
}

/** Why a call does not ring; null if it does. */
function findRefusal({ options }: CallHost, callee: UserRow, mayDisturb: boolean): 'busy' | 'offline' | null {
  if (callee.isGhost === 1) return 'offline'
  const isBusy = options.directory.callsOf(callee.id).length > 0
  if (!isBusy && !options.isOnline(callee.id)) return 'offline'
  return isBusy || !mayDisturb ? 'busy' : null
}

function checkStart(host: CallHost, participants: Participants, callType: CallType): Refusal | null {
  const { reader, personLimiters, clock } = host.options
  const { own, other } = participants
  const refused =
    checkCall(reader, participants, callType) ?? findRestriction(reader, { kind: 'mute', userId: own.id }, clock())
  if (refused) return refused
  if (host.size >= MAX_CALLS_PER_REGION) return refuse('Busy')
  if (own.role === 'rootadmin') return null
  const waitMs = personLimiters.consumeAll(callsToUser(own.id, other.id), clock())
  return waitMs > 0 ? refuse('RateLimited', { waitMs, message: TOO_MANY_CALLS_TEXT }) : null
}

function createCall(
  { options: { clock, monotonicNow } }: CallHost,
  callId: string,
  { own, other }: Participants,
  connection: CallSender,
  callType: CallType,
) {
  const startedAt = clock()
  const start = { callId, callType, ringingSince: monotonicNow(), startedAt, isHidden: own.isGhost === 1 }
  return createHostedCall(start, { user: toUserSummary(own, startedAt), connection }, toUserSummary(other, startedAt))
}

/** That the callee is in another call, or has been called too often, is told as declined. */
function tellRefusal(
  { options: { events, onEnded } }: CallHost,
  callId: string,
  connection: CallSender,
  refusal: 'busy' | 'offline',
): void {
  const response = { callId, accepted: false, reason: refusal === 'busy' ? 'declined' : refusal } as const
  events.deliver({ userId: connection.userId, connection }, 'dmVoiceCallResponse', response)
  onEnded(refusal)
}

function recordMissed({ options }: CallHost, callId: string, callType: CallType, { own, other }: Participants): void {
  options.recordMissedCall({ callId, callType, callerId: own.id, calleeId: other.id })
}
