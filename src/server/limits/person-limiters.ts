import type { PersonLimit } from '../../shared/protocol/define.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

/** The limits that commands and routes declare, each with one bucket a person. */
export class PersonLimiters {
  private readonly limiters = new Map<PersonLimit, RateLimiter>()
  private readonly scale: number

  constructor(scale: number) {
    this.scale = scale
  }

  /** Takes a point of the person: 0, or how many milliseconds to wait until there is one. */
  consume(limit: PersonLimit, userId: UserId, now: number): number {
    return this.limiterFor(limit).consume(String(userId), now)
  }

  private limiterFor(limit: PersonLimit): RateLimiter {
    const known = this.limiters.get(limit)
    if (known) return known
    const limiter = createRateLimiter({ points: limit.points * this.scale, perMs: limit.perMs })
    this.limiters.set(limit, limiter)
    return limiter
  }
}
