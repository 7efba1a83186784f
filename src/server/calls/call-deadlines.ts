import { CALLER_GONE_MS, REJOIN_TIMEOUT_MS, RING_TIMEOUT_MS } from '../../shared/calls/limits.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import type { HostedCall } from './hosted-call.ts'

/** Who can be reached now. */
export interface Reachability {
  isOnline(userId: UserId): boolean
  isReachable(region: string): boolean
}

/**
 * Why a call ends by now, or null. It also records since when the caller's region cannot be reached. A ringing call ends
 * within 5 s of the loss of its caller, which is less than the bus takes to call a region gone.
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
  const isCut = caller.connection !== null && !isReachable(caller.connection.region)
  caller.unreachableSince = isCut ? (caller.unreachableSince ?? now) : null
  if (hasPassed(call.ringingSince, RING_TIMEOUT_MS)) return 'unanswered'
  if (hasPassed(caller.lostAt ?? caller.unreachableSince, CALLER_GONE_MS)) return 'hangUp'
  return isOnline(callee.user.id) ? null : 'offline'
}
