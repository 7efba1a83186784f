/** Points of a full bucket, and the milliseconds in which an empty one fills. */
export interface BucketRate {
  points: number
  perMs: number
}

/**
 * A token bucket, stored as the time when it is full again (the generic cell rate algorithm, ITU-T I.371): one number and
 * no timer. All times are milliseconds of the caller's clock.
 */
export class TokenBucket {
  private readonly rate: BucketRate
  private fullAt = Number.NEGATIVE_INFINITY

  constructor(rate: BucketRate) {
    this.rate = rate
  }

  /** Takes points. Returns 0, or the milliseconds until there are enough; a refused try costs nothing. */
  consume(now: number, points = 1): number {
    const { perMs } = this.rate
    // After the clock is set back, the wait is at most that of an empty bucket.
    this.fullAt = Math.min(this.fullAt, now + perMs)
    const fullAt = Math.max(this.fullAt, now) + points * this.pointMs
    // Half a point of tolerance for rounding errors.
    if (fullAt - now > perMs + this.pointMs / 2) return Math.ceil(fullAt - now - perMs)
    this.fullAt = fullAt
    return 0
  }

  /** Takes points even if there are too few. Returns the milliseconds that the caller should pause, usually 0. */
  overdraw(points: number, now: number): number {
    this.fullAt = Math.max(this.fullAt, now) + points * this.pointMs
    return Math.max(0, Math.ceil(this.fullAt - now - this.rate.perMs))
  }

  refund(points = 1): void {
    this.fullAt -= points * this.pointMs
  }

  isHalfFull(now: number): boolean {
    return this.fullAt - now < this.rate.perMs / 2
  }

  private get pointMs(): number {
    return this.rate.perMs / this.rate.points
  }
}
