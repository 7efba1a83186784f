import * as v from 'valibot'
import { CallId, CallType } from '../../../shared/calls/protocol.ts'
import { Time } from '../../../shared/protocol/define.ts'
import { UserId } from '../../../shared/protocol/ids.ts'

/** Calls of one region that the others keep; a region hosts no more (call-host.ts). */
export const MAX_CALLS_PER_REGION = 4_000

/** A call as all regions know it. */
export const CallEntry = v.object({
  callId: CallId,
  callType: CallType,
  callerId: UserId,
  calleeId: UserId,
  isActive: v.boolean(),
  startedAt: Time,
  /** Only its caller takes part, who is ghost-banned: it rings nowhere, and the callee is not in a call. */
  isHidden: v.optional(v.boolean(), false),
})
export type CallEntry = v.InferOutput<typeof CallEntry>
/** A call with the region that hosts it. */
export type LocatedCall = CallEntry & { host: string }

/** What is remembered of a call. */
export type RememberedCall = Omit<CallEntry, 'isHidden'>

/** Remembers calls after their end (recent-calls.ts). */
export interface CallMemory {
  set(call: RememberedCall): void
  end(callId: string): void
}

/** Which users are in which call, in all regions. */
export class CallDirectory {
  private readonly calls = new Map<string, LocatedCall>()
  private readonly callsByUser = new Map<UserId, Set<LocatedCall>>()
  private readonly countByHost = new Map<string, number>()
  private readonly memory: CallMemory | null

  get size(): number {
    return this.calls.size
  }

  find(callId: string): LocatedCall | undefined {
    return this.calls.get(callId)
  }

  /** @param memory gets each call that begins, changes or ends */
  constructor(memory: CallMemory | null = null) {
    this.memory = memory
  }

  /** The calls of a user: one, or none, and for a moment several that began in different regions. */
  callsOf(userId: UserId): LocatedCall[] {
    return [...(this.callsByUser.get(userId) ?? [])]
  }

  callsHostedBy(host: string): LocatedCall[] {
    return [...this.calls.values()].filter((call) => call.host === host)
  }

  /** Adds a call or changes it. Returns false for one of another region's calls, or one too many. */
  set(call: LocatedCall): boolean {
    const known = this.calls.get(call.callId)
    if (known && known.host !== call.host) return false
    const count = this.countByHost.get(call.host) ?? 0
    if (!known && count >= MAX_CALLS_PER_REGION) return false
    if (known) this.drop(known)
    this.calls.set(call.callId, call)
    this.countByHost.set(call.host, (this.countByHost.get(call.host) ?? 0) + 1)
    for (const userId of usersOf(call)) {
      const ofUser = this.callsByUser.get(userId) ?? new Set()
      this.callsByUser.set(userId, ofUser.add(call))
    }
    this.memory?.set(call)
    return true
  }

  /** Removes a call of this host. Returns it, or null when the host has none with this id. */
  remove(callId: string, host: string): LocatedCall | null {
    const call = this.calls.get(callId)
    if (!call || call.host !== host) return null
    this.drop(call)
    this.memory?.end(callId)
    return call
  }

  private drop(call: LocatedCall): void {
    const { callId, host } = call
    this.calls.delete(callId)
    const count = (this.countByHost.get(host) ?? 1) - 1
    if (count > 0) this.countByHost.set(host, count)
    else this.countByHost.delete(host)
    for (const userId of usersOf(call)) {
      const ofUser = this.callsByUser.get(userId)
      ofUser?.delete(call)
      if (ofUser?.size === 0) this.callsByUser.delete(userId)
    }
  }
}

/** The users who take part in a call. */
export function usersOf({ callerId, calleeId, isHidden }: CallEntry): UserId[] {
  return isHidden ? [callerId] : [callerId, calleeId]
}

/** Whether each of two users is calling the other, and none has accepted. */
export function areCrossed(one: CallEntry, other: CallEntry): boolean {
  const isRinging = !one.isActive && !other.isActive && !one.isHidden && !other.isHidden
  return isRinging && one.callerId === other.calleeId && one.calleeId === other.callerId
}

/**
 * Which of two calls that share a user goes on; every region decides the same. A running call before a ringing one, then
 * the earlier one, then by id.
 */
export function isPreferred(one: CallEntry, other: CallEntry): boolean {
  if (one.isActive !== other.isActive) return one.isActive
  if (one.startedAt !== other.startedAt) return one.startedAt < other.startedAt
  return one.callId < other.callId
}
