/** Commands a second that one connection may send for long, and how many at once. */
const TOKENS_PER_SECOND = 20
const BURST_TOKENS = 60
/** After this many refusals without a pause the connection ends. */
const MAX_CONSECUTIVE_REFUSALS = 200

/** How fast one connection may send: a token bucket. */
export class TokenBucket {
  private readonly scale: number
  private tokens: number
  private refilledAt = 0
  private refusals = 0

  constructor(scale: number) {
    this.scale = scale
    this.tokens = BURST_TOKENS * scale
  }

  /** @param now epoch milliseconds */
  tryConsume(now: number): boolean {
    const elapsed = Math.max(0, now - this.refilledAt)
    this.refilledAt = now
    this.tokens = Math.min(BURST_TOKENS * this.scale, this.tokens + (elapsed / 1000) * TOKENS_PER_SECOND * this.scale)
    if (this.tokens < 1) {
      this.refusals++
      return false
    }
    this.tokens--
    if (this.tokens > BURST_TOKENS / 2) this.refusals = 0
    return true
  }

  isAbusive(): boolean {
    return this.refusals > MAX_CONSECUTIVE_REFUSALS
  }
}
