/** Commands a second that one connection may send for long, and how many at once. */
const PER_SECOND = 20
const BURST = 60
/** After this many refusals without a pause the connection ends. */
const PATIENCE = 200

/** How fast one connection may send: a token bucket. */
export class Pace {
  private readonly scale: number
  private tokens: number
  private filledAt = 0
  private refusals = 0

  constructor(scale: number) {
    this.scale = scale
    this.tokens = BURST * scale
  }

  /** @param now epoch milliseconds */
  take(now: number): boolean {
    const elapsed = Math.max(0, now - this.filledAt)
    this.filledAt = now
    this.tokens = Math.min(BURST * this.scale, this.tokens + (elapsed / 1000) * PER_SECOND * this.scale)
    if (this.tokens < 1) {
      this.refusals++
      return false
    }
    this.tokens--
    if (this.tokens > BURST / 2) this.refusals = 0
    return true
  }

  isHopeless(): boolean {
    return this.refusals > PATIENCE
  }
}
