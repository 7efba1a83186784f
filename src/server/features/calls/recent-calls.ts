import { requestIdOf } from '../../../shared/calls/call-request-id.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { REPORTABLE_CALL_MS } from '../../../shared/reports/limits.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { findMissedCall } from '../../model/notifications/queries.ts'
import type { CallFacts } from '../../model/reports/queries.ts'
import type { CallMemory, RememberedCall } from './call-directory.ts'

/** Calls that a region remembers, of all regions; one more forgets the oldest. A call is about 300 bytes. */
const MAX_RECENT_CALLS = 20_000

/**
 * Who called whom, when and how long, for reports of calls: in memory alone, because who calls whom is nobody's business.
 * After a restart only missed calls are known, by their notifications.
 */
export class RecentCalls implements CallMemory {
  /** By `requestIdOf` their ids: of a missed call, a notification has no more. */
  private readonly calls = new Map<number, CallFacts>()
  private readonly clock: () => number

  /** @param clock epoch milliseconds */
  constructor(clock: () => number) {
    this.clock = clock
  }

  get size(): number {
    return this.calls.size
  }

  /** A call has begun, or was accepted. */
  set({ callId, callType, callerId, calleeId, startedAt, isActive }: RememberedCall): void {
    const key = requestIdOf(callId)
    const known = this.calls.get(key)
    const connectedAt = known?.connectedAt ?? (isActive ? this.clock() : null)
    this.calls.delete(key)
    this.calls.set(key, { callId, callType, callerId, calleeId, startedAt, connectedAt, endedAt: null })
    this.forgetOldest()
  }

  /** A call is over. */
  end(callId: string): void {
    const key = requestIdOf(callId)
    const call = this.calls.get(key)
    if (call && call.endedAt === null) this.calls.set(key, { ...call, endedAt: this.clock() })
  }

  /**
   * A call of this user, running or ended a short time ago; undefined for others and for unknown ones.
   * @param callId the call's id, or one by `callIdOf` from the notification of a missed call
   */
  find(reader: Pick<Reader, 'get'>, userId: UserId, callId: string): CallFacts | undefined {
    const call = this.calls.get(requestIdOf(callId)) ?? this.findMissed(reader, userId, callId)
    const isOwn = call?.callerId === userId || call?.calleeId === userId
    return isOwn && (call.endedAt === null || this.clock() - call.endedAt <= REPORTABLE_CALL_MS) ? call : undefined
  }

  private findMissed(reader: Pick<Reader, 'get'>, userId: UserId, callId: string): CallFacts | undefined {
    const missed = findMissedCall(reader, userId, requestIdOf(callId))
    if (!missed) return undefined
    const { senderId: callerId, createdAt, content } = missed
    const callType = content === 'video' ? 'video' : 'voice'
    return { callId, callType, callerId, calleeId: userId, startedAt: createdAt, connectedAt: null, endedAt: createdAt }
  }

  private forgetOldest(): void {
    for (const [key, { endedAt }] of this.calls) {
      const isOld = endedAt !== null && this.clock() - endedAt > REPORTABLE_CALL_MS
      if (!isOld && this.calls.size <= MAX_RECENT_CALLS) return
      this.calls.delete(key)
    }
  }
}
