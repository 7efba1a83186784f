import type { UserId } from '../../../shared/protocol/ids.ts'
import { REPORTABLE_CALL_MS } from '../../../shared/reports/limits.ts'
import { live } from '../../core/live/state.ts'

/** The latest call of this page with each user, and when it was last seen. */
const latestCalls = new Map<UserId, { callId: string; at: number }>()

/** Keeps a call, so that it can be reported when its window is closed. */
export function rememberCall(otherId: UserId, callId: string): void {
  latestCalls.set(otherId, { callId, at: live.serverNow() })
}

/** The latest call of this page with a user, as long as it can be reported; null without one. */
export function latestCallId(otherId: UserId): string | null {
  const latest = latestCalls.get(otherId)
  return latest && isReportableCall(latest.at) ? latest.callId : null
}

/** Whether a call of this time can still be reported. */
export function isReportableCall(at: number): boolean {
  return live.serverNow() - at <= REPORTABLE_CALL_MS
}
