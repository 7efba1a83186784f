import { CALLEE_GONE_MS, CALLER_GONE_MS, REJOIN_TIMEOUT_MS, RING_TIMEOUT_MS } from '../../../shared/calls/limits.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { HostedCall, Participant } from './hosted-call.ts'

/** Who can be reached now. */
export interface Reachability {
  isOnline(userId: UserId): boolean
  isReachable(region: string): boolean
}

/**
 * Why a call ends by now, or null. It also records since when a side of a ringing call cannot be reached. That ends within
 * 5 s of the loss of its caller, which is less than the bus takes to call a region gone.
 * @param now milliseconds of the monotonic clock
 */
export function findExpiry(
  call: HostedCall,
  now: number,
  { isOnline, isReachable }: Reachability,
): 'unanswered' | 'hangUp' | 'offline' | 'connectionLost' | null {
  const { caller, callee } = call
  const hasPassed = (since: number | null, ms: number) => since !== null && now - since >= ms
  if (call.connectedAt !== null)
    return [caller, callee].some(({ lostAt }) => hasPassed(lostAt, REJOIN_TIMEOUT_MS)) ? 'connectionLost' : null
  recordReachability(caller, caller.connection === null || isReachable(caller.connection.region), now)
  recordReachability(callee, isOnline(callee.user.id), now)
  if (hasPassed(call.ringingSince, RING_TIMEOUT_MS)) return 'unanswered'
  if (hasPassed(caller.lostAt ?? caller.unreachableSince, CALLER_GONE_MS)) return 'hangUp'
  return hasPassed(callee.unreachableSince, CALLEE_GONE_MS) ? 'offline' : null
}

function recordReachability(side: Participant, isReachable: boolean, now: number): void {
  side.unreachableSince = isReachable ? null : (side.unreachableSince ?? now)
}
