import { TokenBucket } from '../limits/token-bucket.ts'

/** Commands of one connection: 60 at once, then 20 a second. */
const COMMAND_RATE = { points: 60, perMs: 3_000 }
/** After this many refusals without a pause the connection ends. */
const MAX_CONSECUTIVE_REFUSALS = 200

/** How fast one connection may send commands. */
export class CommandRateLimit {
  private readonly bucket: TokenBucket
  private refusals = 0
  private lastNow = 0
  private elapsedMs = 0

  /** @param scale how many times the usual rate is allowed (settings, `limitScale`) */
  constructor(scale: number) {
    this.bucket = new TokenBucket({ ...COMMAND_RATE, points: COMMAND_RATE.points * scale })
  }

  /** @param now epoch milliseconds */
  tryConsume(now: number): boolean {
    // A clock that is set back empties no bucket: only time that passed forward counts.
    this.elapsedMs += Math.max(0, now - this.lastNow)
    this.lastNow = now
    if (this.bucket.consume(this.elapsedMs) > 0) {
      this.refusals++
      return false
    }
    if (this.bucket.isHalfFull(this.elapsedMs)) this.refusals = 0
    return true
  }

  isAbusive(): boolean {
    return this.refusals > MAX_CONSECUTIVE_REFUSALS
  }
}
