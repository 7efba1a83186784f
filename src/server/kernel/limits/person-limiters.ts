import type { PersonLimit } from '../../../shared/protocol/define.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

/** What an action costs by one limit. */
export interface Charge {
  limit: PersonLimit
  /** A user's or a room's id, or the group of an address (http/client-address.ts). */
  key: UserId | RoomId | string
  points: number
}

/** The limits that commands and routes declare, with one bucket per user or address each. */
export class PersonLimiters {
  private readonly limiters = new Map<PersonLimit, RateLimiter>()
  private readonly scale: number

  constructor(scale: number) {
    this.scale = scale
  }

  /** Takes a point of the user. Returns 0, or the milliseconds until there is one. */
  consume(limit: PersonLimit, userId: UserId, now: number): number {
    return this.limiterFor(limit).consume(String(userId), now)
  }

  /** Takes the points of all charges or of none. Returns 0, or the milliseconds until there are enough for the first that fails. */
  consumeAll(charges: readonly Charge[], now: number): number {
    for (const [index, { limit, key, points }] of charges.entries()) {
      const waitMs = this.limiterFor(limit).consume(String(key), now, points)
      if (waitMs === 0) continue
      this.refundAll(charges.slice(0, index))
      return waitMs
    }
    return 0
  }

  /** Gives the points of charges back. */
  refundAll(charges: readonly Charge[]): void {
    for (const { limit, key, points } of charges) this.limiterFor(limit).refund(String(key), points)
  }

  private limiterFor(limit: PersonLimit): RateLimiter {
    const existing = this.limiters.get(limit)
    if (existing) return existing
    const limiter = createRateLimiter({ points: limit.points * this.scale, perMs: limit.perMs })
    this.limiters.set(limit, limiter)
    return limiter
  }
}
