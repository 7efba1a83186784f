/** How much a full bucket allows at once, and how long an empty one takes to be full again, in milliseconds. */
export interface BucketRate {
  points: number
  perMs: number
}

/**
 * A token bucket, kept as the moment when it is full again (the generic cell rate algorithm, ITU-T I.371): one number and
 * no timer. All times are milliseconds of one clock, the caller's.
 */
export class TokenBucket {
  private readonly rate: BucketRate
  private fullAt = Number.NEGATIVE_INFINITY

  constructor(rate: BucketRate) {
    this.rate = rate
  }

  /** Takes a point: 0, or how many milliseconds to wait until there is one. A refused try costs nothing. */
  consume(now: number): number {
    const { perMs } = this.rate
    // After the clock was set back, nobody waits longer than after taking everything at once.
    this.fullAt = Math.min(this.fullAt, now + perMs)
    const fullAt = Math.max(this.fullAt, now) + this.pointMs
    // Half a point of tolerance: sums of fractions are never exact.
    if (fullAt - now > perMs + this.pointMs / 2) return Math.ceil(fullAt - now - perMs)
    this.fullAt = fullAt
    return 0
  }

  /** Takes points also where there are too few: for how many milliseconds the caller pauses now, mostly 0. */
  overdraw(points: number, now: number): number {
    this.fullAt = Math.max(this.fullAt, now) + points * this.pointMs
    return Math.max(0, Math.ceil(this.fullAt - now - this.rate.perMs))
  }

  /** Gives a point back. */
  refund(): void {
    this.fullAt -= this.pointMs
  }

  isHalfFull(now: number): boolean {
    return this.fullAt - now < this.rate.perMs / 2
  }

  private get pointMs(): number {
    return this.rate.perMs / this.rate.points
  }
}
