import { randomUUID } from 'node:crypto'
import { SAME_USER_CALL_LIMIT } from '../../shared/calls/limits.ts'
import type { CallType } from '../../shared/calls/protocol.ts'
import { TOO_MANY_CALLS_TEXT } from '../../shared/calls/texts.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { toUserSummary } from '../accounts/queries.ts'
import type { Charge } from '../limits/person-limiters.ts'
import { getParticipants, type Participants } from '../relations/access.ts'
import { checkCall } from './access.ts'
import type { CallAnswer, CallCommand, CallSender } from './call-commands.ts'
import { type LocatedCall, MAX_CALLS_PER_REGION } from './call-directory.ts'
import type { CallHost } from './call-host.ts'
import { createHostedCall } from './hosted-call.ts'

/**
 * Starts a call at its host, which checks it again: the other region may not know the latest block. A callee who is in
 * another call counts as one who declines; both that and one who is offline are told after the answer.
 */
export function startCall(
  host: CallHost,
  { sender, input }: CallCommand<'dmVoiceCallRequest'>,
): CallAnswer<'dmVoiceCallRequest'> {
  const { reader, directory, isOnline } = host.options
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
  if (directory.callsOf(other.id).length > 0) refuseStart(host, callId, participants, sender, input.callType, 'busy')
  else if (!isOnline(other.id)) refuseStart(host, callId, participants, sender, input.callType, 'offline')
  else host.add(createCall(host, callId, participants, sender, input.callType))
  return { success: true, callId, callType: input.callType, role: 'caller' }
}

/** The ringing call of the other to the one who calls them now. */
export function findCrossing(ownCalls: readonly LocatedCall[], otherId: UserId): LocatedCall | undefined {
  return ownCalls.find(({ isActive, callerId }) => !isActive && callerId === otherId)
}

/** Counted by the host and not in the caller's region: calls from several regions reach the same host. */
export function callsToUser(callerId: UserId, calleeId: UserId): Charge[] {
  return [{ limit: SAME_USER_CALL_LIMIT, key: `${callerId}>${calleeId}`, points: 1 }]
}

function checkStart(host: CallHost, participants: Participants, callType: CallType): Refusal | null {
  const { reader, personLimiters, clock } = host.options
  const { own, other } = participants
  const refused = checkCall(reader, participants, callType)
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
  const start = { callId, callType, ringingSince: monotonicNow(), startedAt }
  return createHostedCall(start, { user: toUserSummary(own, startedAt), connection }, toUserSummary(other, startedAt))
}

function refuseStart(
  { options: { events, onEnded, recordMissedCall } }: CallHost,
  callId: string,
  { own, other }: Participants,
  connection: CallSender,
  callType: CallType,
  outcome: 'busy' | 'offline',
): void {
  const response = { callId, accepted: false, reason: outcome === 'busy' ? 'declined' : outcome } as const
  events.deliver({ userId: own.id, connection }, 'dmVoiceCallResponse', response)
  recordMissedCall({ callId, callType, callerId: own.id, calleeId: other.id })
  onEnded(outcome)
}
