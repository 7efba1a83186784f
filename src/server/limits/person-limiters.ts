import type { PersonLimit } from '../../shared/protocol/define.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

/** The limits that commands and routes declare, with one bucket per user each. */
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

  private limiterFor(limit: PersonLimit): RateLimiter {
    const existing = this.limiters.get(limit)
    if (existing) return existing
    const limiter = createRateLimiter({ points: limit.points * this.scale, perMs: limit.perMs })
    this.limiters.set(limit, limiter)
    return limiter
  }
}
