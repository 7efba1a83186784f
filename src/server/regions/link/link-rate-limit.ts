/** What one region may send for long and at once, in bytes: many times what a busy site needs. */
const BYTES_PER_SECOND = 8 * 1024 * 1024
const BURST_BYTES = 8 * 1024 * 1024
/** What a frame counts for at least: a short one costs as much to open as one of so many bytes. */
const MIN_FRAME_COST_BYTES = 512

/** How fast one region may send: a token bucket that may be overdrawn, by those who then have to wait. */
export class LinkRateLimit {
  private availableBytes = BURST_BYTES
  private refilledAt = performance.now()

  /** Takes a frame of so many bytes. Answers for how many milliseconds nothing more should be read, mostly 0. */
  consume(bytes: number): number {
    const now = performance.now()
    this.availableBytes = Math.min(
      BURST_BYTES,
      this.availableBytes + ((now - this.refilledAt) / 1000) * BYTES_PER_SECOND,
    )
    this.refilledAt = now
    this.availableBytes -= Math.max(bytes, MIN_FRAME_COST_BYTES)
    return this.availableBytes >= 0 ? 0 : Math.ceil((-this.availableBytes / BYTES_PER_SECOND) * 1000)
  }
}
