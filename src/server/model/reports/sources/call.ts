import { requestIdOf } from '../../../../shared/calls/call-request-id.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { refuse } from '../../../../shared/protocol/refusals.ts'
import { CALL_NOT_FOUND_TEXT } from '../../../../shared/reports/texts.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { Service } from '../../../kernel/feature-services.ts'
import { getParticipants } from '../../relations/access.ts'
import type { CallFacts, ReportSource } from '../queries.ts'

/** Calls that this region remembers, of all regions: in memory alone. */
export const recentCalls = new Service<{
  /**
   * A call of this user, running or ended a short time ago; undefined for others and for unknown ones.
   * @param callId the call's id, or one by `callIdOf` from the notification of a missed call
   */
  find(reader: Pick<Reader, 'get'>, userId: UserId, callId: string): CallFacts | undefined
}>('recentCalls')

/**
 * A call of the actor, with what the actor's region knows of it: the calls have no rows. Refuses with NoSuchCall for one of
 * others.
 */
export const callSource: ReportSource<'call'> = {
  capture(tx, actor, { call }) {
    const { callId, callType, callerId, calleeId, startedAt, connectedAt, endedAt } = call
    const participants = getParticipants(tx, callerId, calleeId)
    if (!participants || (callerId !== actor.userId && calleeId !== actor.userId))
      return refuse('NoSuchCall', { message: CALL_NOT_FOUND_TEXT })
    const [caller, callee] = [participants.own, participants.other].map(({ id, username }) => ({ id, username }))
    if (!caller || !callee) throw new Error('a call has two sides')
    return {
      reportedId: callerId === actor.userId ? calleeId : callerId,
      // As the notification of a missed call names it.
      key: String(requestIdOf(callId)),
      callId,
      content: { kind: 'call', call: { callId, callType, caller, callee, startedAt, connectedAt, endedAt } },
      paths: [],
    }
  },
}
